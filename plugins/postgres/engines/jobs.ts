import { setTimeout as delay } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { ulidToUUID } from "ulid";
import { within } from "#lib/concurrency";
import { databaseStartupError } from "#lib/databases";
import { JOB_ID, noDeadJob } from "#lib/jobs";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import type {
  EngineQueue,
  JobEngine,
  JobQueueStatus,
  JobRecord,
  JobState,
} from "../../jobs/contract.js";
import { deadQueue, SharedBoss } from "./boss.js";
import { type JobRow, MAX_READ, toInsert, toRecord } from "./job-rows.js";
import { QueueWorker } from "./job-worker.js";

/** Pause between heartbeats, which is also that between looks at the other nodes and between fetches, in ms. */
const TURN_MS = 1_000;
/** An attempt fails that had no heartbeat in this many looks after the first. */
const SILENT_LOOKS = 3;
/** Interval in which a job is looked at that a caller waits for, in ms. */
const POLL_MS = 100;
/** Longest time that closing waits for jobs, in ms. */
const CLOSE_MS = 10_000;

/** Dependencies of the engine. */
export interface PostgresJobsOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Jobs that all nodes run, on pg-boss. */
export class PostgresJobs implements JobEngine {
  readonly isOwner = false;
  readonly isShared = true;
  readonly #options: PostgresJobsOptions;
  readonly #boss: SharedBoss;
  readonly #workers = new Map<string, QueueWorker>();
  readonly #closing = new AbortController();
  readonly #stopped = new AbortController();
  /** The heartbeats of attempts that this node does not make, and how many looks have found each. */
  #heard = new Map<string, { beat: string; looks: number }>();
  #counts: Awaited<ReturnType<PgBoss["getQueues"]>> = [];
  #countedAt = 0;
  #opening: Promise<void> | null = null;
  #turning: Promise<unknown> = Promise.resolve();

  constructor(options: PostgresJobsOptions) {
    const { url, log } = options;
    this.#options = options;
    this.#boss = new SharedBoss({
      url,
      onAdded: (queue) => this.#wake(queue),
      onError: ({ message }) => log.debug("jobs.maintenance_failed", { error: message }),
    });
  }

  /** Connects before the site starts. @throws as `SharedBoss.start`. */
  async start(): Promise<void> {
    try {
      await this.#boss.start();
    } catch (error) {
      await this.#boss.close();
      throw databaseStartupError(error);
    }
  }

  define(queue: EngineQueue): void {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    const worker = new QueueWorker({ queue, boss: this.#boss, clock, log, signal });
    this.#workers.set(queue.name, worker);
  }

  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    for (const name of this.#workers.keys()) await this.#boss.createQueue(name);
    const beating = this.#repeat(() => this.#beat());
    this.#turning = Promise.all([beating, this.#repeat(() => this.#refresh())]);
  }

  async add(queue: string, jobs: readonly JobRecord[]): Promise<string[]> {
    const worker = this.#workers.get(queue);
    return worker === undefined || jobs.length === 0 ? [] : worker.add(jobs);
  }

  async list({ queue, state }: { queue?: string; state?: JobState }): Promise<JobRecord[]> {
    const names = [...this.#workers.keys()].filter((name) => (queue ?? name) === name);
    const records: JobRecord[] = [];
    for (const name of names) {
      if (state !== "dead") records.push(...(await this.#live(name)));
      if (state === undefined || state === "dead") records.push(...(await this.#dead(name)));
    }
    return records
      .filter((record) => state === undefined || record.state === state)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #live(queue: string, id?: string): Promise<JobRecord[]> {
    const rows = await this.#rows(queue, id);
    return rows.map((row) => toRecord(queue, row));
  }

  async #dead(queue: string, id?: string): Promise<JobRecord[]> {
    const rows = await this.#rows(deadQueue(queue), id);
    return rows.map((row) => toRecord(queue, row, true));
  }

  #rows(queue: string, id?: string): Promise<JobRow[]> {
    const filter = id === undefined ? {} : { id: ulidToUUID(id) };
    return this.#boss.run((boss) => boss.findJobs(queue, { limit: MAX_READ, ...filter }));
  }

  async retry(id: string): Promise<JobRecord> {
    const names = JOB_ID.test(id) ? [...this.#workers.keys()] : [];
    for (const name of names) {
      const [dead] = await this.#dead(name, id);
      if (dead === undefined) continue;
      const runAt = this.#options.clock.now();
      const next: JobRecord = { ...dead, state: "waiting", attempts: 0, runAt };
      await this.#boss.transaction(async (boss, db) => {
        await boss.deleteJob(deadQueue(name), ulidToUUID(id), { db });
        await boss.insert(name, [toInsert(next, "0")], { db });
      });
      this.#wake(name);
      return next;
    }
    throw noDeadJob(id);
  }

  async outcome(id: string): Promise<JobRecord | null> {
    for (let names = JOB_ID.test(id) ? [...this.#workers.keys()] : []; ;) {
      const found: JobRecord[] = [];
      for (const name of names)
        found.push(...(await this.#live(name, id)), ...(await this.#dead(name, id)));
      const [record = null] = found;
      if (record === null || record.state === "dead" || this.#closing.signal.aborted) return record;
      names = [record.queue];
      await delay(POLL_MS);
    }
  }

  async idle(queue: string): Promise<void> {
    while (!this.#closing.signal.aborted && (await this.#isBusy(queue))) await delay(POLL_MS);
  }

  /** True while a job runs on any node, or waits only for its turn. */
  async #isBusy(queue: string): Promise<boolean> {
    const rows = await this.#rows(queue);
    const now = Date.now();
    const due = rows.filter(({ state, startAfter }) => state === "active" || +startAfter <= now);
    const held = new Set(
      rows.flatMap((row) => (row.state === "retry" && !due.includes(row) ? row.singletonKey : [])),
    );
    return due.some(({ state, singletonKey }) => state === "active" || !held.has(singletonKey));
  }

  async flush(queue: string): Promise<void> {
    const rows = await this.#rows(queue);
    for (const { id, state } of rows) {
      if (state !== "active")
        await this.#boss.run((boss) => boss.update(queue, undefined, { id, startAfter: "0" }));
    }
    this.#wake(queue);
    await this.idle(queue);
  }

  status(): Record<string, JobQueueStatus> {
    const counts = new Map(this.#counts.map((count) => [count.name, count]));
    return Object.fromEntries(
      [...this.#workers].map(([name, worker]) => {
        const { queuedCount = 0, activeCount = 0 } = counts.get(name) ?? {};
        const dead = counts.get(deadQueue(name))?.queuedCount ?? 0;
        return [
          name,
          { waiting: queuedCount, running: Math.max(activeCount, worker.running), dead },
        ];
      }),
    );
  }

  overdue(before: number): string[] {
    return this.#counts
      .filter(({ name, readyOldestSeconds }) => {
        const since = this.#countedAt - (readyOldestSeconds ?? 0) * 1_000;
        return readyOldestSeconds !== null && since < before && this.#workers.has(name);
      })
      .map(({ name }) => name);
  }

  claim(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening?.catch(() => undefined);
    const workers = [...this.#workers].map(async ([queue, worker]) => {
      await within(CLOSE_MS, worker.ended(), () => {
        // Another node takes them over.
        this.#options.log.warn("jobs.left_running", { queue, count: worker.running });
      });
      await worker.storeUnstored().catch(() => {
        this.#options.log.error("jobs.lost", { queue, jobs: worker.unstored });
      });
    });
    await Promise.all(workers);
    // The heartbeats of attempts go on until they have ended.
    this.#stopped.abort();
    await this.#turning;
    await this.#boss.close();
  }

  #wake(queue: string | null): void {
    if (this.#opening === null) return;
    for (const [name, worker] of this.#workers) if ((queue ?? name) === name) worker.wake();
  }

  /** Repeats work each second. */
  async #repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await work().catch((error: unknown) => this.#noteFailure(error));
      await delay(TURN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #noteFailure(error: unknown): void {
    this.#options.log.debug("jobs.turn_failed", engineFailureFields(error));
  }

  /** Starts jobs whose time has come. */
  async #refresh(): Promise<void> {
    this.#wake(null);
    for (const worker of this.#workers.values()) await worker.storeUnstored();
    this.#counts = await this.#boss.run((boss) => boss.getQueues());
    this.#countedAt = this.#options.clock.now();
  }

  /**
   * Sends heartbeats, and fails the attempts that no process makes: those of nodes that have ended, and those whose
   * fetch was lost.
   */
  async #beat(): Promise<void> {
    const before = this.#heard;
    // Other nodes may be cut off as well when this one is: it then counts from the first look again.
    this.#heard = new Map();
    for (const worker of this.#workers.values()) await worker.touch();
    for (const attempt of await this.#boss.active([...this.#workers.keys()])) {
      const { id, retryCount, queue, beat } = attempt;
      const worker = this.#workers.get(queue);
      if (worker === undefined || worker.makes(attempt)) continue;
      const earlier = before.get(`${id} ${retryCount}`);
      const looks = earlier?.beat === beat ? earlier.looks + 1 : 0;
      this.#heard.set(`${id} ${retryCount}`, { beat, looks });
      // Not awaited: the heartbeats go on.
      if (looks >= SILENT_LOOKS)
        worker.takeOver(attempt).catch((error: unknown) => this.#noteFailure(error));
    }
  }
}
