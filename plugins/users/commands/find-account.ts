import { SiteError } from "#kernel";
import type { User, UsersService } from "../contract.js";

/** Finds an account by id, e-mail address or username. @throws ERR_USER_UNKNOWN. */
export async function findAccount(users: UsersService, name: string): Promise<User> {
  const found = name.includes("@")
    ? await users.findByEmail(name)
    : ((await users.findByUsername(name)) ?? (await users.get(name)));
  if (found !== null) return found;
  throw new SiteError(
    "ERR_USER_UNKNOWN",
    `no account has the id, e-mail or username ${JSON.stringify(name)}`,
    {
      fix: "see users:list",
      exitCode: 2,
    },
  );
}
