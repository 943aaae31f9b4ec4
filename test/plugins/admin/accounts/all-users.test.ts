import assert from "node:assert/strict";
import { allUsers } from "../../../../plugins/admin/accounts/all-users.js";
import type { User } from "../../../../plugins/users/contract.js";

const account = (number: number): User => ({
  id: `u${number}`,
  email: `u${number}@example.test`,
  roles: [],
  provider: "local",
  linkedProviders: [],
  createdAt: number,
  updatedAt: number,
  lastSeenAt: number,
});

describe("all accounts", () => {
  for (const count of [0, 1, 499, 500, 501, 6_000]) {
    it(`are ${count} of ${count}, each once, in the order of the store`, async () => {
      const stored = Array.from({ length: count }, (_, at) => account(at));
      const list = async ({ limit = 50, offset = 0 } = {}): Promise<User[]> =>
        stored.slice(offset, offset + limit);
      const read: User[] = [];
      for await (const user of allUsers({ list })) read.push(user);
      assert.deepEqual(read, stored);
    });
  }
});
