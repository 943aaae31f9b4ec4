import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readFile, access, rm } from "node:fs/promises";
import { z } from "zod";
import {
  atomicWrite,
  type Diagnostic,
  engineFailureFields,
  type Logger,
  SiteError,
  type WriteLock,
} from "#kernel";
import { sha256 } from "#lib/secrets";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
} from "../../records/contract.js";
import type { User, UsersService } from "../../users/contract.js";
import type { AuditLog } from "../audit-log.js";
import type { AdminIdentity, Permission } from "../contract.js";
import { allUsers } from "./all-users.js";

const USERNAME = "admin";
/** Delay between two attempts while a store is down. */
const RETRY_MS = 2_000;

/** Dependencies of creating the first account. */
export interface FirstAccountDeps {
  users: UsersService;
  /** `admin.runtimeDir`, absolute. */
  runtime: string;
  log: Logger;
  /** Of two nodes that start at the same time, one creates the account. */
  writeLock(): WriteLock;
}

/**
 * Creates the account `admin` when no account can administer the site; writes its password to a
 * file that only the process owner can read. An account left without a password by a crash gets
 * one. @throws errors of the store and of the write lock.
 */
export async function ensureAdmin(parts: FirstAccountDeps): Promise<User | null> {
  const { users, writeLock } = parts;
  if (users.isStateless || (await isAdministered(users))) return null;
  return writeLock().run(async () => ((await isAdministered(users)) ? null : create(parts)));
}

async function isAdministered(users: UsersService): Promise<boolean> {
  const named = await users.findByUsername(USERNAME);
  const isNamed = named?.roles.includes("admin") === true && named.passwordHash !== undefined;
  return isNamed || hasAdmin(users);
}

async function create(parts: FirstAccountDeps): Promise<User> {
  const { users } = parts;
  const named = await users.findByUsername(USERNAME);
  const unfinished = named !== null && named.roles.includes("admin") ? named : null;
  const username = named === null ? USERNAME : `${USERNAME}-${randomBytes(3).toString("hex")}`;
  const user =
    unfinished ??
    (await users.create({
      email: `${username}@localhost`,
      username,
      name: "Admin",
      provider: "local",
      roles: ["admin"],
    }));
  return givePassword(parts, user);
}

/**
 * Calls `ensureAdmin` and retries while a store is down; only the first attempt delays startup.
 * @throws errors that are not an outage.
 */
export async function ensureAdminInTime(
  parts: FirstAccountDeps,
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

async function ensureLater(parts: FirstAccountDeps, closing: AbortSignal): Promise<void> {
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

async function givePassword({ users, runtime, log }: FirstAccountDeps, user: User): Promise<User> {
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
  for await (const user of allUsers(users)) if (isUsableAdmin(user)) return true;
  return false;
}

function isUsableAdmin({ roles, passwordHash, provider, enabled }: User): boolean {
  return (
    roles.includes("admin") &&
    enabled !== false &&
    (passwordHash !== undefined || provider !== "local")
  );
}

/** The first password is no longer that of the account `admin`. */
export const firstPasswordCheck: Diagnostic = {
  name: "first password",
  needsSite: true,
  run: async ({ paths, site }) => {
    const file = join(paths.runtime, "initial-admin-password");
    const password = (await readFile(file, "utf8").catch(() => "")).trim();
    if (password === "") return [];
    const users = (await site()).use("users");
    const isOpen = (await users.verifyPassword("admin", password)) !== null;
    if (isOpen) {
      const seen =
        "the account admin still has its first password, which is in initial-admin-password";
      return [{ level: "warning", seen, fix: "sign in, change the password, delete the file" }];
    }
    const fix = "delete initial-admin-password in admin.runtimeDir";
    return [
      { level: "warning", seen: "the file with a former first password is still there", fix },
    ];
  },
};

const shape = z.object({ userId: z.string(), dismissed: z.boolean() });
type Stored = z.infer<typeof shape>;
const COLLECTION: CollectionDefinition<Stored> = {
  name: "panel-first-steps",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => shape.safeParse(value).data ?? null,
};

/** A step of the guide, with the audited action that completes it. */
const STEPS = [
  { name: "password", event: "user.password", needs: null },
  { name: "title", event: "config.update", needs: "config.update" },
  { name: "page", event: "page.create", needs: "pages.create" },
] as const satisfies readonly { name: string; event: string; needs: Permission | null }[];

/** The guide for a new account. */
interface FirstSteps {
  readonly dismissed: boolean;
  readonly steps: readonly {
    readonly name: (typeof STEPS)[number]["name"];
    readonly done: boolean;
  }[];
}
interface GuideDeps {
  readonly store: RecordStore;
  readonly audit: AuditLog;
  /** `admin.runtimeDir`, absolute. */
  readonly runtime: string;
}

/** The first steps of an account: what is done is read from the audit log. */
export class FirstStepsGuide {
  readonly #parts: GuideDeps;

  constructor(parts: GuideDeps) {
    this.#parts = parts;
  }

  async of({ id, permissions }: AdminIdentity, username: string | undefined): Promise<FirstSteps> {
    const stored = await this.#records.get(sha256(id));
    if (stored?.value.dismissed === true) return { dismissed: true, steps: [] };
    const isInitial = username === "admin" && (await this.#hasInitialPassword());
    const steps = STEPS.filter(({ name, needs }) =>
      name === "password" ? isInitial : needs !== null && permissions.has(needs),
    );
    const doneSteps = await Promise.all(
      steps.map(async ({ name, event }) => ({ name, done: await this.#did(id, event) })),
    );
    const isOver = doneSteps.every(({ done }) => done);
    if (isOver) await this.dismiss(id);
    return { dismissed: isOver, steps: doneSteps };
  }

  async dismiss(id: string): Promise<void> {
    await this.#records.update(sha256(id), () => ({ userId: id, dismissed: true }));
  }

  /** Deletes what is stored about a deleted account. */
  async forget(userId: string): Promise<void> {
    await this.#records.delete(sha256(userId));
  }

  /** Deletes the file with the initial password once that password is no longer valid. */
  async passwordChanged(former: string): Promise<void> {
    const text = await readFile(this.#file, "utf8").catch(() => null);
    if (text?.trim() === former) await rm(this.#file, { force: true });
  }

  async #hasInitialPassword(): Promise<boolean> {
    return access(this.#file).then(
      () => true,
      () => false,
    );
  }

  async #did(actor: string, event: string): Promise<boolean> {
    const query = { limit: 1, offset: 0, actor, event, outcome: "success" } as const;
    return (await this.#parts.audit.list(query)).total > 0;
  }

  get #file(): string {
    return join(this.#parts.runtime, "initial-admin-password");
  }

  get #records(): RecordCollection<Stored> {
    return this.#parts.store.collection(COLLECTION);
  }
}
