import { join } from "node:path";
import type { Logger } from "#kernel";
import { readSmallFile, syncFolder } from "#lib/files";
import type { User, UserChange, UserStore } from "../contract.js";
import {
  accountLock,
  runOnEach,
  jsonNames,
  putAside,
  readText,
  removeFile,
  removeTemporary,
  writeJson,
} from "./local-files.js";
import {
  emailKey,
  identityKey,
  isSameKey,
  uniqueKeys,
  takenError,
  usernameKey,
  type UserKey,
  byAge,
  isUserId,
  keepIdentity,
  parseUser,
  type KeyKind,
} from "../user-fields.js";

/** Shortest interval between two checks for lost index entries. */
const RECHECK_MS = 5_000;

/** Dependencies of the store. */
export interface LocalOptions {
  /** `data/users`; created with the first account. */
  folder: string;
  log: Logger;
  /** Unix ms. */
  now(): number;
}

/**
 * Accounts as files. The record `{id}.json` is the source of truth; the index is verified against
 * it on every lookup. Entries are written before the record and removed after it, so lookups stay
 * correct after a crash.
 */
export class LocalUserStore implements UserStore {
  readonly #options: LocalOptions;
  readonly #lock: ReturnType<typeof accountLock>;
  readonly #index: LocalIndex;
  #checking: Promise<void> | null = null;
  #checkedAt = -Infinity;

  constructor(options: LocalOptions) {
    this.#options = options;
    this.#lock = accountLock(options.folder);
    this.#index = new LocalIndex(options.folder);
  }

  async create(user: User): Promise<User> {
    await this.#checked();
    return this.#lock.run(async () => {
      await this.#write(user, null);
      return user;
    });
  }

  async get(id: string): Promise<User | null> {
    if (!isUserId(id)) return null;
    const text = readSmallFile(this.#file(id));
    const user = text === null ? null : parseUser(text);
    return user?.id === id ? user : null;
  }

  findByEmail(email: string): Promise<User | null> {
    return this.#find(emailKey(email));
  }

  findByUsername(username: string): Promise<User | null> {
    return this.#find(usernameKey(username));
  }

  findByIdentity(provider: string, providerId: string): Promise<User | null> {
    return this.#find(identityKey(provider, providerId));
  }

  async update(id: string, change: UserChange): Promise<User | null> {
    await this.#checked();
    return this.#lock.run(async () => {
      const before = await this.get(id);
      if (before === null) return null;
      const after = keepIdentity(before, change(before));
      if (after !== before) await this.#write(after, before);
      return after;
    });
  }

  delete(id: string): Promise<User | null> {
    return this.#lock.run(async () => {
      const user = await this.get(id);
      if (user === null) return null;
      await removeFile(this.#file(id));
      await syncFolder(this.#options.folder);
      await this.#removeKeys(user, uniqueKeys(user));
      return user;
    });
  }

  async list({ limit, offset }: { limit: number; offset: number }): Promise<readonly User[]> {
    return (await this.#scan()).users.slice(offset, offset + limit);
  }

  async count(): Promise<number> {
    return (await jsonNames(this.#options.folder)).length;
  }

  /**
   * Compares the index with all records and repairs it. Runs in the background, at the latest on
   * first use.
   */
  check(): Promise<void> {
    this.#checking = this.#compare();
    // The next writer gets the error; a failed check runs again.
    this.#checking.catch(() => (this.#checking = null));
    return this.#checking;
  }

  #checked(): Promise<void> {
    return this.#checking ?? this.check();
  }

  async #find(key: UserKey): Promise<User | null> {
    const holder = await this.#holder(key);
    if (holder !== null) return holder;
    await this.#checked();
    await this.#recheck();
    return this.#holder(key);
  }

  /** The account whose record has the key. */
  async #holder(key: UserKey): Promise<User | null> {
    const id = await this.#index.read(key);
    const user = id === null ? null : await this.get(id);
    return user !== null && uniqueKeys(user).some((other) => isSameKey(other, key)) ? user : null;
  }

  /**
   * Under the lock: writes entries of new keys, then the record, then removes entries of old keys.
   */
  async #write(after: User, before: User | null): Promise<void> {
    const oldKeys = before === null ? [] : uniqueKeys(before);
    const newKeys = uniqueKeys(after).filter((key) => !oldKeys.some((old) => isSameKey(old, key)));
    for (const key of newKeys) {
      const holder = await this.#holder(key);
      if (holder !== null && holder.id !== after.id) throw takenError(key.kind);
    }
    for (const key of newKeys) await this.#index.write(key, after.id);
    await writeJson(this.#file(after.id), after);
    const currentKeys = uniqueKeys(after);
    await this.#removeKeys(
      after,
      oldKeys.filter((old) => !currentKeys.some((key) => isSameKey(key, old))),
    );
  }

  async #removeKeys(user: User, keys: readonly UserKey[]): Promise<void> {
    for (const key of keys) {
      if ((await this.#index.read(key)) === user.id) await this.#index.remove(key);
    }
  }

  /** After a miss: detects deleted entries within seconds. */
  async #recheck(): Promise<void> {
    const now = performance.now();
    if (now - this.#checkedAt < RECHECK_MS) return;
    this.#checkedAt = now;
    const [records, entries] = await Promise.all([this.count(), this.#index.size()]);
    if (entries < records) await this.check();
  }

  async #compare(): Promise<void> {
    const { users, corrupt } = await this.#scan();
    const wrong = await this.#index.wrong(users);
    if (wrong.length === 0 && corrupt.length === 0) return;
    // The check ran without the lock, so the difference may come from a write in progress.
    await this.#lock.run(() => this.#repair());
  }

  async #repair(): Promise<void> {
    const { folder, log, now } = this.#options;
    await removeTemporary(folder);
    const { users, corrupt } = await this.#scan();
    for (const id of corrupt) {
      await putAside(this.#file(id), now());
      log.error("users.record_corrupt", { id, fix: "restore it from version control or a backup" });
    }
    const wrong = await this.#index.wrong(users);
    await this.#index.repair(wrong);
    if (wrong.length > 0) log.warn("users.index_repaired", { entries: wrong.length });
  }

  async #scan(): Promise<{ users: User[]; corrupt: string[] }> {
    const users: User[] = [];
    const corrupt: string[] = [];
    await runOnEach(await jsonNames(this.#options.folder), async (id) => {
      const text = await readText(this.#file(id));
      if (text === null) return;
      const user = parseUser(text);
      if (user?.id === id) users.push(user);
      else corrupt.push(id);
    });
    return { users: users.sort(byAge), corrupt };
  }

  #file(id: string): string {
    return join(this.#options.folder, `${id}.json`);
  }
}

const KINDS: readonly KeyKind[] = ["email", "username", "identity"];

/** An index entry that contradicts the records; `id` null: the entry should not exist. */
interface Wrong {
  key: UserKey;
  id: string | null;
}

/** `by-email/`, `by-username/` and `by-identity/`: one file per key, containing an account's id. */
export class LocalIndex {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The id in an entry; null if it is absent or unreadable. */
  async read(key: UserKey): Promise<string | null> {
    const text = await readText(this.#file(key));
    if (text === null) return null;
    try {
      const entry: unknown = JSON.parse(text);
      const isEntry = typeof entry === "object" && entry !== null && "id" in entry;
      return isEntry && typeof entry.id === "string" ? entry.id : null;
    } catch {
      return null;
    }
  }

  write(key: UserKey, id: string): Promise<void> {
    return writeJson(this.#file(key), { id });
  }

  remove(key: UserKey): Promise<void> {
    return removeFile(this.#file(key));
  }

  /** The number of accounts with an e-mail entry. */
  async size(): Promise<number> {
    return (await jsonNames(join(this.#folder, "by-email"))).length;
  }

  /** Entries that differ from the records. */
  async wrong(users: readonly User[]): Promise<Wrong[]> {
    const wrong: Wrong[] = [];
    const expected = new Map<string, { readonly key: UserKey; readonly id: string }>();
    for (const user of users) {
      // If two records share a key, the oldest one owns it.
      for (const key of uniqueKeys(user)) {
        const name = `${key.kind}/${key.digest}`;
        if (!expected.has(name)) expected.set(name, { key, id: user.id });
      }
    }
    await runOnEach(expected.values(), async ({ key, id }) => {
      if ((await this.read(key)) !== id) wrong.push({ key, id });
    });
    for (const kind of KINDS) {
      for (const digest of await jsonNames(join(this.#folder, `by-${kind}`))) {
        if (!expected.has(`${kind}/${digest}`)) wrong.push({ key: { kind, digest }, id: null });
      }
    }
    return wrong;
  }

  /** Corrects the entries. Only call while holding the store's lock. */
  async repair(wrong: readonly Wrong[]): Promise<void> {
    for (const kind of KINDS) await removeTemporary(join(this.#folder, `by-${kind}`));
    await runOnEach(wrong, ({ key, id }) => (id === null ? this.remove(key) : this.write(key, id)));
  }

  #file({ kind, digest }: UserKey): string {
    return join(this.#folder, `by-${kind}`, `${digest}.json`);
  }
}
