import { open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { errorCode } from "#lib/errors";
import { isTemporary, makeFolder, PRIVATE_FILE, readSmallFile, syncFolder } from "#lib/files";
import { sha256 } from "#lib/secrets";
import type { SessionRecord, SessionStore } from "../contract.js";

const ID = /^[a-z]+-[0-9a-f]{64}$/;
const TEMPORARY_MS = 60_000;

/**
 * Sessions as files `{id}.json` in one folder, and an empty marker `by-user/{digest}/{id}` for
 * each, to find a user's sessions without reading all. The folder is created with the first
 * session.
 */
export class LocalSessionStore implements SessionStore {
  /** A login waits for four syncs, each of which takes seconds on a busy disk. */
  readonly limits = { writeMs: 15_000 };
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(id: string): Promise<SessionRecord | null> {
    if (!ID.test(id)) return null;
    const text = readSmallFile(this.#file(id));
    return text === null ? null : parseRecord(text);
  }

  async set(id: string, record: SessionRecord): Promise<void> {
    const marker = this.#marker(record.userId, id);
    await makeFolder(this.#userFolder(record.userId));
    // The marker first: a record without one could not be revoked after a crash.
    await (await open(marker, "w", PRIVATE_FILE)).close();
    const file = this.#file(id);
    await atomicWrite(file, JSON.stringify(record));
    // Lets `sweep` skip live sessions without reading them.
    const expires = record.expiresAt / 1000;
    await utimes(file, expires, expires);
  }

  async destroy(id: string): Promise<void> {
    const record = await this.get(id);
    await rm(this.#file(id), { force: true });
    if (record === null) return;
    await rm(this.#marker(record.userId, id), { force: true });
    // A logout survives a power cut.
    await syncFolder(this.#folder);
  }

  async destroyUser(userId: string): Promise<number> {
    const folder = this.#userFolder(userId);
    const ids = (await unlessMissing(readdir(folder))) ?? [];
    const removed = await Promise.all(ids.map((id) => removeFile(this.#file(id))));
    await rm(folder, { recursive: true, force: true });
    const count = removed.filter(Boolean).length;
    if (count > 0) await syncFolder(this.#folder);
    return count;
  }

  async claim(key: string, ttlSeconds: number): Promise<boolean> {
    const folder = join(this.#folder, "claims");
    await makeFolder(folder);
    const file = join(folder, sha256(key));
    try {
      await (await open(file, "wx", PRIVATE_FILE)).close();
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
    const expires = Date.now() / 1000 + ttlSeconds;
    await utimes(file, expires, expires);
    return true;
  }

  async sweep(now: number): Promise<number> {
    const names = (await unlessMissing(readdir(this.#folder))) ?? [];
    let removed = 0;
    for (const name of names) {
      const file = join(this.#folder, name);
      if (isTemporary(name)) await removeOlder(file, now - TEMPORARY_MS);
      else if (name.endsWith(".json") && (await this.#isExpired(file, now))) {
        await this.destroy(name.slice(0, -".json".length));
        removed += 1;
      }
    }
    await this.#sweepClaims(now);
    return removed;
  }

  async #isExpired(file: string, now: number): Promise<boolean> {
    const stats = await unlessMissing(stat(file));
    if (stats === null || stats.mtimeMs > now) return false;
    const text = await unlessMissing(readFile(file, "utf8"));
    const record = text === null ? null : parseRecord(text);
    return record === null || record.expiresAt <= now;
  }

  async #sweepClaims(now: number): Promise<void> {
    const folder = join(this.#folder, "claims");
    const names = (await unlessMissing(readdir(folder))) ?? [];
    for (const name of names) await removeOlder(join(folder, name), now);
  }

  #file(id: string): string {
    return join(this.#folder, `${ID.test(id) ? id : sha256(id)}.json`);
  }

  #userFolder(userId: string): string {
    return join(this.#folder, "by-user", sha256(userId));
  }

  #marker(userId: string, id: string): string {
    return join(this.#userFolder(userId), ID.test(id) ? id : sha256(id));
  }
}

function parseRecord(text: string): SessionRecord | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function removeOlder(file: string, limit: number): Promise<void> {
  const stats = await unlessMissing(stat(file));
  if (stats !== null && stats.mtimeMs <= limit) await rm(file, { force: true });
}

async function removeFile(file: string): Promise<boolean> {
  return (await unlessMissing(rm(file).then(() => true))) ?? false;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
