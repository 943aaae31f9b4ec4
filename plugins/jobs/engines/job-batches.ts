import { open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#lib/errors";
import { atomicWrite, PRIVATE_FILE, syncFolder } from "#lib/files";
import { parseJob } from "#lib/jobs";
import type { JobRecord } from "../contract.js";

const JOBS_EXTENSION = ".jsonl";
const ENDED_EXTENSION = ".ended";

/** Jobs that were added together. */
interface Batch {
  /** Absolute, without extension. */
  readonly path: string;
  /** Those that have not ended. */
  readonly left: Map<string, JobRecord>;
}

/**
 * Jobs that were added together, in one file instead of one each: `{folder}/{queue}/{first id}.jsonl` has
 * a record per line as it was added, `{first id}.ended` the ids of those that have ended. Both are deleted
 * with the last one. 5,000 jobs as files of their own take 7 s of an SSD's time, as one file 20 ms.
 */
export class JobBatches {
  readonly #folder: string;
  readonly #isOwner: () => boolean;
  /** By path; only the owner's: in another process they would miss what has ended since. */
  readonly #batches = new Map<string, Promise<Batch | null>>();
  readonly #batchOf = new Map<string, Batch>();

  /** `folder`: absolute. */
  constructor(folder: string, isOwner: () => boolean) {
    this.#folder = folder;
    this.#isOwner = isOwner;
  }

  /** Called when this process becomes the owner: another one may have ended jobs. */
  forget(): void {
    this.#batches.clear();
    this.#batchOf.clear();
  }

  /** Writes jobs of one queue; resolves when they are durable. */
  async write(records: readonly JobRecord[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const path = join(this.#folder, first.queue, first.id);
    const lines = records.map((record) => `${JSON.stringify(record)}\n`);
    await atomicWrite(`${path}${JOBS_EXTENSION}`, lines.join(""));
    if (!this.#isOwner()) return;
    const batch = { path, left: new Map(records.map((record) => [record.id, record])) };
    this.#batches.set(path, Promise.resolve(batch));
    this.#note(batch);
  }

  /** Records of a queue that have not ended, as they were added. Torn lines are skipped. */
  async left(queue: string): Promise<Map<string, JobRecord>> {
    const folder = join(this.#folder, queue);
    const names = await readdir(folder).catch((): string[] => []);
    const left = new Map<string, JobRecord>();
    for (const name of names.filter((one) => one.endsWith(JOBS_EXTENSION)).sort()) {
      const batch = await this.#batch(join(folder, name.slice(0, -JOBS_EXTENSION.length)));
      for (const [id, record] of batch?.left ?? [])
        if (record.queue === queue) left.set(id, record);
    }
    return left;
  }

  /** Records that a job has ended, or has a file of its own; a job that no batch has is ignored. */
  async end(id: string): Promise<void> {
    const batch = this.#batchOf.get(id);
    if (batch === undefined) return;
    this.#batchOf.delete(id);
    batch.left.delete(id);
    if (batch.left.size > 0) return append(`${batch.path}${ENDED_EXTENSION}`, `${id}\n`);
    this.#batches.delete(batch.path);
    // In this order: without the list of those that have ended, they would run again.
    await rm(`${batch.path}${JOBS_EXTENSION}`, { force: true });
    await rm(`${batch.path}${ENDED_EXTENSION}`, { force: true });
    await syncFolder(join(batch.path, ".."));
  }

  async #batch(path: string): Promise<Batch | null> {
    if (!this.#isOwner()) return this.#read(path);
    const cached = this.#batches.get(path);
    if (cached !== undefined) return cached;
    const read = this.#read(path).then((batch) => {
      if (batch !== null) this.#note(batch);
      return batch;
    });
    this.#batches.set(path, read);
    read.catch(() => this.#batches.delete(path));
    return read;
  }

  async #read(path: string): Promise<Batch | null> {
    const [lines, ended] = await Promise.all([
      readLines(`${path}${JOBS_EXTENSION}`),
      readLines(`${path}${ENDED_EXTENSION}`),
    ]);
    if (lines === null) return null;
    const records = lines.flatMap((line) => parseJob(line) ?? []);
    const left = new Map(records.map((record) => [record.id, record]));
    for (const id of ended ?? []) left.delete(id);
    return { path, left };
  }

  #note(batch: Batch): void {
    for (const id of batch.left.keys()) this.#batchOf.set(id, batch);
  }
}

async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, "a", PRIVATE_FILE);
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Null without such a file. */
async function readLines(file: string): Promise<string[] | null> {
  try {
    const text = await readFile(file, "utf8");
    return text.split("\n").filter((line) => line !== "");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(errorCode(error))) return null;
    throw error;
  }
}
