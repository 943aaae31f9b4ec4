/** The files of deliveries: `{folder}/{YYYY-MM-DD}/{id}.json`. They are the outbox. */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeTime } from "ulid";
import { atomicWrite, errorCode } from "#kernel";
import type { DeliveryRecord } from "./contract.js";
import { parseRecord } from "./delivery-record.js";

const DAY_MS = 86_400_000;
const DAY_NAME = /^\d{4}-\d{2}-\d{2}$/;
const RECORD_NAME = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.json$/;
const READS_AT_ONCE = 16;
const MARK = ".settled";

/** Reads and writes records; what is torn, empty or foreign is skipped. */
export class DeliveryLog {
  readonly #folder: string;
  /** Unix ms: every record made before it has ended. */
  #settled = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(record: DeliveryRecord): Promise<void> {
    // After a clock that was set back, new records lie before the mark: they must be found again.
    const time = decodeTime(record.id);
    if (time < this.#settled && record.finalStatus === "pending") await this.settle(time);
    await atomicWrite(this.#file(record.id), `${JSON.stringify(record, null, 2)}\n`, {
      mode: 0o600,
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

  /**
   * Notes that every record made before `time` (Unix ms) has ended: `pending` need not read them. What
   * is lost of this note costs time and nothing else.
   */
  async settle(time: number): Promise<void> {
    this.#settled = time;
    await atomicWrite(join(this.#folder, MARK), `${time}\n`, { mode: 0o600 });
  }

  /** Every record that is pending, oldest first; `now` (Unix ms) tells a mark of another clock. */
  async *pending(now: number): AsyncGenerator<DeliveryRecord> {
    const settled = await this.#readMark(now);
    for (const day of await this.#days()) {
      if (day < dayOf(settled)) continue;
      const ids = (await this.#ids(day)).filter((id) => decodeTime(id) >= settled).sort();
      for (let at = 0; at < ids.length; at += READS_AT_ONCE) {
        const records = await this.#readAll(ids.slice(at, at + READS_AT_ONCE));
        yield* records.filter(({ finalStatus }) => finalStatus === "pending");
      }
    }
  }

  async #readMark(now: number): Promise<number> {
    const text = await readFile(join(this.#folder, MARK), "utf8").catch(() => "");
    const time = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
    this.#settled = time > now ? 0 : time;
    return this.#settled;
  }

  /** Removes the days before `before` (Unix ms). */
  async prune(before: number): Promise<void> {
    for (const day of await this.#days()) {
      if (day < dayOf(before)) await rm(join(this.#folder, day), { recursive: true, force: true });
    }
  }

  /** Makes the folder, so that something else can be put beside the days. */
  async prepare(): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    return this.#folder;
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

/** Gone meanwhile, a file where a folder is expected, a folder where a file is. */
function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR"].includes(errorCode(error));
}

/** Milliseconds of so many days. */
export function daysMs(days: number): number {
  return days * DAY_MS;
}
