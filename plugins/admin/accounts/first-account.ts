import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { atomicWrite, SiteError, type Logger } from "#kernel";
import { engineFailureFields } from "#kernel/internal";
import type { User, UsersService } from "../../users/contract.js";

const USERNAME = "admin";
const EMAIL = "admin@localhost";
const BATCH = 500;
/** Delay between two attempts while a store is down. */
const RETRY_MS = 2_000;

/** Dependencies of creating the first account. */
export interface FirstAccountParts {
  users: UsersService;
  /** `admin.runtimeDir`, absolute. */
  runtime: string;
  log: Logger;
}

/**
 * Creates the account `admin` when no account can administer the site; writes its password to a
 * file that only the process owner can read. An account left without a password by a crash gets
 * one.
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

/**
 * Calls `ensureAdmin` and retries while a store is down; only the first attempt delays startup.
 * @throws errors that are not an outage.
 */
export async function ensureAdminInTime(
  parts: FirstAccountParts,
  closing: AbortSignal,
): Promise<void> {
  try {
    await ensureAdmin(parts);
  } catch (error) {
    if (!isOutage(error)) throw error;
    const fix = "restore the store: the account is created then";
    parts.log.warn("admin.first_account_delayed", { fix, ...engineFailureFields(error) });
    void ensureLater(parts, closing);
  }
}

async function ensureLater(parts: FirstAccountParts, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    try {
      await delay(RETRY_MS, undefined, { signal: closing, ref: false });
      await ensureAdmin(parts);
      return;
    } catch (error) {
      if (closing.aborted) return;
      if (isOutage(error)) continue;
      parts.log.error("admin.first_account_failed", engineFailureFields(error));
      return;
    }
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof SiteError && (error.status === 503 || error.status === 507);
}

function create(users: UsersService, { isTaken }: { isTaken: boolean }): Promise<User> {
  const username = isTaken ? `${USERNAME}-${randomBytes(3).toString("hex")}` : USERNAME;
  const email = isTaken ? `${username}@localhost` : EMAIL;
  return users.create({ email, username, name: "Admin", provider: "local", roles: ["admin"] });
}

async function givePassword({ users, runtime, log }: FirstAccountParts, user: User): Promise<User> {
  const file = join(runtime, "initial-admin-password");
  const password = randomBytes(18).toString("base64url");
  await atomicWrite(file, `${password}\n`);
  const updated = await users.setPassword(user.id, password).catch(async (error: unknown) => {
    // The password is stored; only ending old sessions failed, and a new account has none.
    const stored = await users.get(user.id);
    if (stored?.passwordHash === undefined) throw error;
    return stored;
  });
  log.warn("admin.first_account", {
    username: user.username,
    file,
    fix: "sign in with the password in the file, change it, delete the file",
  });
  return updated;
}

/** True when an account can sign in and administer the site. */
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
