import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeTime } from "ulid";
import { errorCode } from "#lib/errors";
import { atomicWrite, isAbsent, namesIn } from "#lib/files";
import { parseJson } from "#lib/values";
import type { KeyedLock } from "#lib/concurrency";
import type { CollectionDefinition, RecordCollection, Stored } from "../contract.js";

const EXTENSION = ".json";
const DAY_NAME = /^\d{4}-\d{2}-\d{2}$/;
const READS_AT_ONCE = 16;

/** One file per value: `{name}/{key}.json`, or `{name}/{YYYY-MM-DD}/{key}.json`. Skips unrelated files. */
export class CollectionFiles<T> implements RecordCollection<T> {
  readonly #folder: string;
  readonly #definition: CollectionDefinition<T>;
  readonly #lock: KeyedLock;

  constructor(folder: string, definition: CollectionDefinition<T>, lock: KeyedLock) {
    this.#folder = join(folder, definition.name);
    this.#definition = definition;
    this.#lock = lock;
  }

  async get(key: string): Promise<Stored<T> | null> {
    return this.#definition.key.test(key) ? this.#read(key) : null;
  }

  async put(key: string, value: T, { durable = true } = {}): Promise<void> {
    const { isIndented = false } = this.#definition;
    const text = isIndented ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value);
    await atomicWrite(this.#file(key), text, { durable });
  }

  update(
    key: string,
    change: (stored: T | null) => T | null,
    options?: { durable?: boolean },
  ): Promise<Stored<T> | null> {
    return this.#lock.run(`${this.#folder} ${key}`, async () => {
      const stored = await this.get(key);
      const value = change(stored?.value ?? null);
      if (value === null) return stored;
      await this.put(key, value, options);
      return { value, node: null };
    });
  }

  delete(key: string): Promise<boolean> {
    return this.#lock.run(`${this.#folder} ${key}`, async () => {
      if ((await this.get(key)) === null) return false;
      await rm(this.#file(key), { force: true });
      return true;
    });
  }

  async list({ since = 0, limit = Infinity } = {}): Promise<{
    items: readonly Stored<T>[];
    total: number;
  }> {
    const keys = (await this.#keys(since)).toSorted().toReversed();
    const items: Stored<T>[] = [];
    for (let at = 0; at < keys.length && items.length < limit; at += READS_AT_ONCE) {
      const reads = keys.slice(at, at + READS_AT_ONCE).map((key) => this.#listed(key));
      items.push(...(await Promise.all(reads)).flatMap((stored) => stored ?? []));
    }
    return { items: items.slice(0, limit), total: keys.length };
  }

  async prune(before: number): Promise<void> {
    for (const day of await this.#days()) {
      if (day < toDay(before)) await rm(join(this.#folder, day), { recursive: true, force: true });
    }
  }

  async #keys(since: number): Promise<string[]> {
    if (this.#definition.byDay !== true) return this.#keysIn(this.#folder);
    const keys: string[] = [];
    for (const day of await this.#days()) {
      if (day < toDay(since)) continue;
      const dayKeys = await this.#keysIn(join(this.#folder, day));
      // Others were put there by hand.
      const ofDay = dayKeys.filter(
        (key) => decodeTime(key) >= since && toDay(decodeTime(key)) === day,
      );
      for (const key of ofDay) keys.push(key);
    }
    return keys;
  }

  async #keysIn(folder: string): Promise<string[]> {
    const names = await namesIn(folder);
    return names
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length))
      .filter((key) => this.#definition.key.test(key));
  }

  async #days(): Promise<string[]> {
    return (await namesIn(this.#folder)).filter((name) => DAY_NAME.test(name)).sort();
  }

  #file(key: string): string {
    const days = this.#definition.byDay === true ? [toDay(decodeTime(key))] : [];
    return join(this.#folder, ...days, `${key}${EXTENSION}`);
  }

  async #read(key: string): Promise<Stored<T> | null> {
    try {
      const value = parseJson(await readFile(this.#file(key), "utf8"));
      const parsed = this.#definition.parse(value, key);
      return parsed === null ? null : { value: parsed, node: null };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** A folder with the name of a file is no value. */
  async #listed(key: string): Promise<Stored<T> | null> {
    try {
      return await this.#read(key);
    } catch (error) {
      if (errorCode(error) === "EISDIR") return null;
      throw error;
    }
  }
}

/** The day in UTC of a time in Unix ms: `2026-11-20`. */
function toDay(time: number): string {
  return new Date(Math.max(time, 0)).toISOString().slice(0, 10);
}
