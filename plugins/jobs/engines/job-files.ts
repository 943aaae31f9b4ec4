import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#lib/errors";
import { atomicWrite, ProcessLock, syncFolder } from "#lib/files";
import { KeyedLock } from "#lib/concurrency";
import { JOB_ID, parseJob } from "#lib/jobs";
import type { Workers } from "#kernel";
import type { JobRecord } from "../contract.js";
import type { JobStore, JobStoreEvents } from "../job-store.js";
import { JobBatches } from "./job-batches.js";

const EXTENSION = ".json";
const DEAD_FOLDER = "dead";
const PARALLEL_READS = 16;
/** Interval in which the owner looks for jobs of other processes, in ms. */
const POLL_MS = 2_000;
/** Interval in which a process tries to become the owner, in ms. */
const TURN_MS = 2_000;

type Kind = "live" | "dead";

/**
 * Jobs as files: `{folder}/{queue}/{id}.json`, dead ones in `{folder}/{queue}/dead/`; those added together
 * share a file until their first attempt. Files that are torn or foreign are skipped.
 */
export class JobFiles implements JobStore {
  readonly #folder: string;
  readonly #owner: JobOwner;
  readonly #workers: Workers | undefined;
  readonly #batches: JobBatches;
  readonly #lock = new KeyedLock();
  readonly #waiting = new Map<string, { record: JobRecord; written: Promise<void> }>();
  #poll: NodeJS.Timeout | null = null;

  /** `folder`: absolute. Of several workers, the leader owns the jobs. */
  constructor(folder: string, workers?: Workers) {
    this.#folder = folder;
    this.#workers = workers;
    this.#batches = new JobBatches(folder, () => this.isOwner);
    this.#owner = new JobOwner(join(folder, ".owner"), workers);
  }

  get isOwner(): boolean {
    return this.#owner.isOwner;
  }

  async open(events: JobStoreEvents): Promise<void> {
    this.#workers?.handle("jobs.added", () => this.isOwner && events.added());
    await this.#owner.start({
      ...events,
      owned: () => {
        this.#batches.forget();
        events.owned();
      },
    });
    let seen = await this.#stamp();
    this.#poll = setInterval(() => {
      void this.#stamp().then((stamp) => {
        if (stamp === seen) return;
        seen = stamp;
        if (this.isOwner) events.added();
      });
    }, POLL_MS);
    this.#poll.unref();
  }

  async close(): Promise<void> {
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#owner.close();
  }

  /** Writes of one job follow each other; one that a later one overtakes is left out. */
  write(record: JobRecord): Promise<void> {
    const waiting = this.#waiting.get(record.id);
    if (waiting !== undefined) {
      waiting.record = record;
      return waiting.written;
    }
    const next = { record, written: Promise.resolve() };
    next.written = this.#lock.run(record.id, () => {
      this.#waiting.delete(record.id);
      return this.#write(next.record).then(() => this.#tellOwner());
    });
    this.#waiting.set(record.id, next);
    return next.written;
  }

  async writeNew(records: readonly JobRecord[]): Promise<void> {
    await this.#batches.write(records);
    this.#tellOwner();
  }

  /** The owner would find a new job within two seconds. */
  #tellOwner(): void {
    if (this.#workers === undefined || this.#workers.id === 0 || this.isOwner) return;
    this.#workers.ask("leader", "jobs.added").catch(() => undefined);
  }

  remove(record: JobRecord): Promise<void> {
    return this.#lock.run(record.id, () => this.#remove(record));
  }

  async #write(record: JobRecord): Promise<void> {
    const kind = record.state === "dead" ? "dead" : "live";
    await atomicWrite(this.#file(record, kind), `${JSON.stringify(record)}\n`);
    // A job moves between the two folders when it dies and when it is retried.
    if (kind === "dead" || record.attempts === 0) {
      await rm(this.#file(record, kind === "dead" ? "live" : "dead"), { force: true });
    }
    if (kind === "dead") await this.#batches.end(record.id);
  }

  async #remove(record: JobRecord): Promise<void> {
    await rm(this.#file(record, "live"), { force: true });
    // A finished job must not run again after a power cut.
    await syncFolder(join(this.#folder, record.queue)).catch(() => undefined);
    await this.#batches.end(record.id);
  }

  async read(queue: string, id: string): Promise<JobRecord | null> {
    if (!JOB_ID.test(id)) return null;
    const live = await this.#read(this.#path(queue, "live"), id);
    const stored = live ?? (await this.#read(this.#path(queue, "dead"), id));
    return stored ?? (await this.#batches.left(queue)).get(id) ?? null;
  }

  async *list(queue: string, kind: Kind): AsyncGenerator<JobRecord> {
    const folder = this.#path(queue, kind);
    const added = kind === "live" ? await this.#batches.left(queue) : new Map<string, JobRecord>();
    const ids = [...new Set([...(await listIds(folder)), ...added.keys()])].sort();
    for (let at = 0; at < ids.length; at += PARALLEL_READS) {
      const reads = ids
        .slice(at, at + PARALLEL_READS)
        .map(async (id) => (await this.#read(folder, id)) ?? added.get(id) ?? null);
      yield* (await Promise.all(reads)).flatMap((record) => record ?? []);
    }
  }

  async count(queue: string, kind: Kind): Promise<number> {
    const files = await listIds(this.#path(queue, kind));
    if (kind === "dead") return files.length;
    return new Set([...files, ...(await this.#batches.left(queue)).keys()]).size;
  }

  async #read(folder: string, id: string): Promise<JobRecord | null> {
    try {
      const text = await readFile(join(folder, `${id}.json`), "utf8");
      const record = parseJob(text);
      return record?.id === id ? record : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #path(queue: string, kind: Kind): string {
    const live = join(this.#folder, queue);
    return kind === "live" ? live : join(live, DEAD_FOLDER);
  }

  #file({ queue, id }: JobRecord, kind: Kind): string {
    return join(this.#path(queue, kind), `${id}.json`);
  }

  /** Changes when a file is added to, or removed from, the folder of a queue. */
  async #stamp(): Promise<string> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    // The lock of the owner changes every second.
    const queues = names.filter((name) => !name.startsWith("."));
    const stats = queues.map((queue) => stat(join(this.#folder, queue)).catch(() => null));
    return (await Promise.all(stats)).map((stats) => stats?.mtimeMs ?? 0).join(" ");
  }
}

/** Competes for the lock that makes one process of a site root the owner of its jobs. */
class JobOwner {
  readonly #file: string;
  readonly #workers: Pick<Workers, "isLeader" | "whenLeader"> | undefined;
  #events = { owned: (): void => undefined, lost: (): void => undefined };
  #lock: ProcessLock | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isTrying = false;
  #isClosed = false;

  /** `file`: absolute path of the lock. Of several workers, only the leader competes. */
  constructor(file: string, workers?: Pick<Workers, "isLeader" | "whenLeader">) {
    this.#file = file;
    this.#workers = workers;
  }

  get isOwner(): boolean {
    return this.#lock !== null;
  }

  /** Resolves after the first try; later ones follow in the background. */
  async start(events: { owned(): void; lost(): void }): Promise<void> {
    this.#events = events;
    await this.#try();
    if (this.#isClosed) return;
    if (this.#workers?.isLeader === false) this.#workers.whenLeader(() => void this.#try());
    this.#timer = setInterval(() => void this.#try(), TURN_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#lock?.release();
    this.#lock = null;
  }

  async #try(): Promise<void> {
    const isFree = this.#lock === null && !this.#isTrying && !this.#isClosed;
    if (!isFree || this.#workers?.isLeader === false) return;
    this.#isTrying = true;
    const onLost = (): void => {
      this.#lock = null;
      this.#events.lost();
    };
    // The next turn tries again when the folder is not writable.
    const lock = await ProcessLock.tryAcquire(this.#file, { onLost }).catch(() => null);
    this.#isTrying = false;
    if (lock === null) return;
    if (this.#isClosed) {
      lock.release();
      return;
    }
    this.#lock = lock;
    this.#events.owned();
  }
}

async function listIds(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    const files = names.filter((name) => name.endsWith(EXTENSION));
    const ids = files.map((name) => name.slice(0, -EXTENSION.length));
    return ids.filter((id) => JOB_ID.test(id)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR"].includes(errorCode(error));
}
