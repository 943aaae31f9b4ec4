import type { User, UsersService } from "../../users/contract.js";

/** Accounts that are asked of the store at once. */
const BATCH = 500;

/** Every account, the oldest first. Read in parts: a store may have more than fit in memory. */
export async function* allUsers(users: Pick<UsersService, "list">): AsyncGenerator<User> {
  for (let offset = 0; ; offset += BATCH) {
    const batch = await users.list({ limit: BATCH, offset });
    yield* batch;
    if (batch.length < BATCH) return;
  }
}
