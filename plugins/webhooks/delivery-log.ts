/** The log of deliveries, one file each: `{folder}/{YYYY-MM-DD}/{id}.json`. */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeTime } from "ulid";
import { atomicWrite, KeyedLock } from "#kernel";
import { errorCode } from "#kernel/internal";
import type { DeliveryRecord } from "./contract.js";
import { parseRecord } from "./delivery-record.js";

const DAY_MS = 86_400_000;
const DAY_NAME = /^\d{4}-\d{2}-\d{2}$/;
const RECORD_NAME = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.json$/;
const READS_AT_ONCE = 16;

/** Reads and writes records; skips truncated, empty and unrelated files. */
export class DeliveryLog {
  readonly #folder: string;
  readonly #lock = new KeyedLock();

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(record: DeliveryRecord): Promise<void> {
    return this.#write(record, { durable: true });
  }

  /** The logged record of this id; writes `record` if it is missing. */
  ensure(record: DeliveryRecord): Promise<DeliveryRecord> {
    return this.#lock.run(record.id, async () => {
      const stored = await this.read(record.id);
      if (stored !== null) return stored;
      // After a power failure the job of the delivery still exists and writes it again.
      await this.#write(record, { durable: false });
      return record;
    });
  }

  async read(id: string): Promise<DeliveryRecord | null> {
    return RECORD_NAME.test(`${id}.json`) ? this.#readFile(this.#file(id)) : null;
  }

  /** The newest records since `from` (Unix ms), newest first, and how many there are. */
  async recent(
    from: number,
    limit: number,
  ): Promise<{ items: readonly DeliveryRecord[]; total: number }> {
    const ids: string[] = [];
    for (const day of await this.#days()) {
      if (day >= dayOf(from))
        ids.push(...(await this.#ids(day)).filter((id) => decodeTime(id) >= from));
    }
    ids.sort().reverse();
    const items: DeliveryRecord[] = [];
    for (let at = 0; at < ids.length && items.length < limit; at += READS_AT_ONCE) {
      items.push(...(await this.#readAll(ids.slice(at, at + READS_AT_ONCE))));
    }
    return { items: items.slice(0, limit), total: ids.length };
  }

  /** Removes the days before `before` (Unix ms). */
  async prune(before: number): Promise<void> {
    for (const day of await this.#days()) {
      if (day < dayOf(before)) await rm(join(this.#folder, day), { recursive: true, force: true });
    }
  }

  async #write(record: DeliveryRecord, { durable }: { durable: boolean }): Promise<void> {
    const text = `${JSON.stringify(record, null, 2)}\n`;
    await atomicWrite(this.#file(record.id), text, { mode: 0o600, durable });
  }

  #file(id: string): string {
    return join(this.#folder, dayOf(decodeTime(id)), `${id}.json`);
  }

  async #days(): Promise<string[]> {
    const names = await namesIn(this.#folder);
    return names.filter((name) => DAY_NAME.test(name)).sort();
  }

  async #ids(day: string): Promise<string[]> {
    const names = await namesIn(join(this.#folder, day));
    return names
      .flatMap((name) => RECORD_NAME.exec(name)?.[1] ?? [])
      .filter((id) => dayOf(decodeTime(id)) === day);
  }

  async #readAll(ids: readonly string[]): Promise<DeliveryRecord[]> {
    const records = await Promise.all(ids.map((id) => this.#readFile(this.#file(id))));
    return records
      .filter((record, at) => record !== null && record.id === ids[at])
      .flatMap((record) => record ?? []);
  }

  async #readFile(file: string): Promise<DeliveryRecord | null> {
    try {
      return parseRecord(await readFile(file, "utf8"));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }
}

function dayOf(time: number): string {
  return new Date(Math.max(time, 0)).toISOString().slice(0, 10);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Deleted meanwhile, or a file in place of a folder, or the reverse. */
function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR"].includes(errorCode(error));
}

/** Converts days to milliseconds. */
export function daysMs(days: number): number {
  return days * DAY_MS;
}
