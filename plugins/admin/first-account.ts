import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { atomicWrite, type Logger } from "#kernel";
import type { User, UsersService } from "../users/contract.js";

const USERNAME = "admin";
const EMAIL = "admin@localhost";
const BATCH = 500;

/** What making the first account takes. */
export interface FirstAccountParts {
  users: UsersService;
  /** `admin.runtimeDir`, absolute. */
  runtime: string;
  log: Logger;
}

/**
 * Makes account `admin` when nobody can administer the site; its password goes to a file that only
 * the owner of the process can read. An account that a crash left without password gets one.
 */
export async function ensureAdmin(parts: FirstAccountParts): Promise<User | null> {
  const { users } = parts;
  if (users.isStateless) return null;
  const named = await users.findByUsername(USERNAME);
  if (named !== null && named.roles.includes("admin") && named.passwordHash !== undefined)
    return null;
  if (await hasAdmin(users)) return null;
  const unfinished = named !== null && named.roles.includes("admin") ? named : null;
  const user = unfinished ?? (await create(users, { isTaken: named !== null }));
  return givePassword(parts, user);
}

function create(users: UsersService, { isTaken }: { isTaken: boolean }): Promise<User> {
  const username = isTaken ? `${USERNAME}-${randomBytes(3).toString("hex")}` : USERNAME;
  const email = isTaken ? `${username}@localhost` : EMAIL;
  return users.create({ email, username, name: "Admin", provider: "local", roles: ["admin"] });
}

async function givePassword({ users, runtime, log }: FirstAccountParts, user: User): Promise<User> {
  const file = join(runtime, "initial-admin-password");
  const password = randomBytes(18).toString("base64url");
  await atomicWrite(file, `${password}\n`, { mode: 0o600 });
  const made = await users.setPassword(user.id, password);
  log.warn("admin.first_account", {
    username: user.username,
    file,
    fix: "sign in with what the file holds, change it, delete the file",
  });
  return made;
}

/** True when an account exists that can sign in and administer. */
async function hasAdmin(users: UsersService): Promise<boolean> {
  for (let offset = 0; ; offset += BATCH) {
    const batch = await users.list({ limit: BATCH, offset });
    if (batch.some(isUsableAdmin)) return true;
    if (batch.length < BATCH) return false;
  }
}

function isUsableAdmin({ roles, passwordHash, provider, enabled }: User): boolean {
  return (
    roles.includes("admin") &&
    enabled !== false &&
    (passwordHash !== undefined || provider !== "local")
  );
}
