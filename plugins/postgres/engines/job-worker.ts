import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db, JobAttempt, JobInsert, PgBoss } from "pg-boss";
import { uuidToULID } from "ulid";
import { z } from "zod";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import { KeyedLock } from "#lib/concurrency";
import { errorCode, messageOf } from "#lib/errors";
import { queueFull } from "#lib/jobs";
import type { EngineQueue, JobRecord } from "../../jobs/contract.js";
import { deadQueue, type SharedBoss } from "./boss.js";
import {
  interval,
  type JobRow,
  MAX_READ,
  previousStart,
  toInsert,
  toRecord,
  withPayload,
} from "./job-rows.js";

/** Most jobs of a queue that run on one node at the same time. */
const MAX_RUNNING = 100;
/** Pause before the result of an attempt is stored again, in ms. */
const RESTORE_MS = 1_000;
const CUT_SHORT = "the process ended during the attempt";

/** The reply of calls that end an attempt: 0 when it is no longer the job's attempt. */
const settled = z.object({ affected: z.number() });

/** Dependencies of a worker. */
export interface QueueWorkerOptions {
  readonly queue: EngineQueue;
  readonly boss: SharedBoss;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the site closes: no attempt starts then. */
  readonly signal: AbortSignal;
}

/** Adds the jobs of one queue, and runs those that this node fetches. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #adding = new KeyedLock();
  /** Jobs that the database did not take, in order. */
  readonly #unstored: (readonly JobRecord[])[] = [];
  readonly #running = new Map<string, JobAttempt>();
  readonly #attempts = new Set<Promise<void>>();
  #succeeded: JobAttempt[] = [];
  #storing: Promise<void> | null = null;
  #filling: Promise<void> | null = null;
  #isWoken = false;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
  }

  /** Attempts under way here. */
  get running(): number {
    return this.#running.size;
  }

  /** Jobs that only this process knows. */
  get unstored(): number {
    return this.#unstored.flat().length;
  }

  /** True for an attempt that is made here. */
  makes({ id, retryCount }: JobAttempt): boolean {
    return this.#running.get(id)?.retryCount === retryCount;
  }

  /**
   * Stores jobs, all or none, and starts those that are due. While the database is away, those whose cause is stored
   * already wait here for it. @throws ERR_JOBS_FULL (503), ERR_POSTGRES_DOWN (503).
   */
  async add(jobs: readonly JobRecord[]): Promise<string[]> {
    const { queue, log } = this.#options;
    await this.#assertRoom(jobs.length);
    const keys = jobs.map(({ key }) => `key ${key}`);
    // Two jobs of one key that this node adds at the same time keep their order.
    return this.#adding.runAll(keys, async () => {
      try {
        await this.storeUnstored();
        const ids = await this.#store(jobs);
        this.wake();
        return ids;
      } catch (error) {
        if (!queue.runsUnstored || errorCode(error) !== "ERR_POSTGRES_DOWN") throw error;
        this.#unstored.push(jobs);
        const fields = { queue: queue.name, id: jobs[0]?.id, jobs: jobs.length };
        log.warn("jobs.record_failed", { ...fields, ...engineFailureFields(error) });
        return jobs.map(({ id }) => id);
      }
    });
  }

  /** Stores what the database did not take, in order. It ignores what it took before the connection broke. */
  storeUnstored(): Promise<void> {
    return this.#adding.run("unstored", async () => {
      for (let next = this.#unstored[0]; next !== undefined; next = this.#unstored[0]) {
        await this.#store(next);
        this.#unstored.shift();
        this.wake();
      }
    });
  }

  /** Fetches jobs that are due, in the background. */
  wake(): void {
    this.#isWoken = true;
    if (this.#filling !== null || this.#options.signal.aborted) return;
    const { log, queue } = this.#options;
    this.#filling = this.#fill()
      .catch((error: unknown) => {
        log.debug("jobs.fetch_failed", { queue: queue.name, ...engineFailureFields(error) });
      })
      .finally(() => {
        this.#filling = null;
      });
  }

  /** Tells the other nodes that the attempts here go on. */
  async touch(): Promise<void> {
    const attempts = [...this.#running.values()];
    if (attempts.length > 0) await this.#options.boss.touch(this.#options.queue.name, attempts);
  }

  /** Resolves when the attempts under way have ended and are stored. */
  async ended(): Promise<void> {
    await this.#filling;
    await Promise.all(this.#attempts);
  }

  /** Ends an attempt that no process makes any more: it has failed. */
  async takeOver({ id, retryCount }: JobAttempt): Promise<void> {
    const { boss, queue } = this.#options;
    const [row] = await boss.run((one) => one.findJobs(queue.name, { id }));
    if (row === undefined) return;
    const job = toRecord(queue.name, row);
    const delayMs = queue.delayAfter(job.attempts, null) ?? 0;
    // By the clock of the database, which wrote when the attempt began.
    const next = new Date(Number(row.startedOn) + delayMs);
    await this.#retry({ id, retryCount }, { ...job, lastError: CUT_SHORT }, next);
    this.wake();
  }

  async #assertRoom(added: number): Promise<void> {
    const { boss, queue } = this.#options;
    const { name, maxWaiting } = queue;
    if (maxWaiting === Infinity) return;
    const limit = Math.min(maxWaiting, MAX_READ);
    const stored = await boss.run((one) => one.findJobs(name, { limit }));
    if (stored.length + added > maxWaiting) throw queueFull(name);
  }

  async #store(jobs: readonly JobRecord[]): Promise<string[]> {
    const { boss, queue } = this.#options;
    if (queue.merges) return boss.transaction((one, db) => this.#mergeAll(jobs, one, db));
    const rows = jobs.map((job) => this.#toInsert(job));
    await boss.run((one) => one.insert(queue.name, rows));
    return jobs.map(({ id }) => id);
  }

  #toInsert(job: JobRecord): JobInsert {
    return toInsert(job, this.#delayOf(job));
  }

  /** Relative, so that the clock of the database counts, whatever this one says. */
  #delayOf({ runAt }: JobRecord): string {
    return interval(runAt - this.#options.clock.now());
  }

  /** Adds jobs to those of their keys that wait; resolves with the ids of the jobs that they are then. */
  async #mergeAll(jobs: readonly JobRecord[], boss: PgBoss, db: Db): Promise<string[]> {
    const { name } = this.#options.queue;
    await lockQueue(db, name);
    const ids: string[] = [];
    for (const job of jobs) {
      const [row] = await boss.findJobs(name, { key: job.key, queued: true, db });
      const isMerged = row !== undefined && (await this.#merge(row, job, boss, db));
      if (!isMerged) await boss.insert(name, [this.#toInsert(job)], { db });
      ids.push(isMerged ? uuidToULID(row.id) : job.id);
    }
    return ids;
  }

  /** Makes a job a part of one that waits; false when they stay two, or when an attempt has just begun. */
  async #merge(row: JobRow, added: JobRecord, boss: PgBoss, db: Db): Promise<boolean> {
    const { queue } = this.#options;
    const waiting = toRecord(queue.name, row);
    const merged = queue.merge(waiting, added);
    if (merged === null) return false;
    const time = merged.runAt < waiting.runAt ? { startAfter: this.#delayOf(merged) } : {};
    const data = withPayload(row, merged.payload);
    return (await boss.update(queue.name, data, { id: row.id, ...time, db })).updated > 0;
  }

  async #fill(): Promise<void> {
    const { boss, queue, signal } = this.#options;
    while (this.#isWoken && !signal.aborted) {
      // A job that has just ended leaves room in its group, and starts the next of its key.
      await this.#storing;
      const batchSize = MAX_RUNNING - this.#running.size;
      if (batchSize <= 0) return;
      this.#isWoken = false;
      const fetch = {
        batchSize,
        includeMetadata: true as const,
        groupConcurrency: queue.concurrency,
      };
      const rows = await boss.run((one) => one.fetch(queue.name, fetch));
      if (rows.length > 0) this.#isWoken = true;
      for (const row of rows) this.#start(row);
      // Those that end at once make room before the next fetch.
      await nextTurn();
    }
  }

  #start(row: JobRow): void {
    const { id, retryCount } = row;
    this.#running.set(id, { id, retryCount });
    const attempt = this.#attempt(row).finally(() => {
      this.#running.delete(id);
      this.#attempts.delete(attempt);
      this.wake();
    });
    this.#attempts.add(attempt);
  }

  async #attempt(row: JobRow): Promise<void> {
    const { queue, signal, log } = this.#options;
    const job = toRecord(queue.name, row);
    // A crash cut the last attempt short, or `onDead` after it.
    if (job.attempts > 1 && queue.delayAfter(job.attempts - 1, null) === null) {
      const error = new Error(job.lastError ?? CUT_SHORT);
      return this.#die(
        row,
        { ...job, attempts: job.attempts - 1, lastError: error.message },
        error,
      );
    }
    const previousAt = job.attempts > 1 ? (previousStart(row) ?? job.createdAt) : null;
    try {
      await queue.run(job, previousAt, signal);
    } catch (error) {
      const failed = { ...job, lastError: messageOf(error) };
      const delayMs = queue.delayAfter(job.attempts, error);
      if (delayMs === null) return this.#die(row, failed, error);
      const fields = { queue: queue.name, id: job.id, attempt: job.attempts };
      log.debug("jobs.attempt_failed", { ...fields, error: failed.lastError });
      await this.#stored(job, () => this.#retry(row, failed, interval(delayMs)));
      setTimeout(() => this.wake(), delayMs).unref();
      return;
    }
    this.#succeeded.push(row);
    this.#storing ??= this.#deleteSucceeded();
    await this.#storing;
  }

  /** Deletes jobs that have succeeded, with one statement for those that end together. */
  async #deleteSucceeded(): Promise<void> {
    const { boss, queue } = this.#options;
    await Promise.resolve();
    for (let ended = this.#take(); ended.length > 0; ended = this.#take()) {
      const attempts = ended.map(({ id, retryCount }) => ({ id, retryCount }));
      await this.#stored({ id: attempts[0]?.id ?? "" }, () =>
        boss.run((one) => one.deleteJob(queue.name, attempts)),
      );
    }
    this.#storing = null;
  }

  #take(): JobAttempt[] {
    return this.#succeeded.splice(0);
  }

  /** The job waits for its next attempt; those of its key wait behind it. Both steps happen, or none. */
  async #retry(
    { id, retryCount }: JobAttempt,
    { key, lastError, startedAt }: JobRecord,
    startAfter: string | Date,
  ): Promise<void> {
    const { boss, queue } = this.#options;
    await boss.transaction(async (one, db) => {
      const output = { message: lastError, startedAt };
      const failed = await one.fail(queue.name, { id, retryCount }, output, { db });
      // Another node has taken the job over.
      if (settled.parse(failed).affected === 0) return;
      await one.update(queue.name, undefined, { id, startAfter, db });
      if (queue.merges) await this.#mergeFollowing({ id, key }, one, db);
    });
  }

  /** A job that was added during a failed attempt waits with the one that failed. */
  async #mergeFollowing(
    { id, key }: Pick<JobRecord, "id" | "key">,
    boss: PgBoss,
    db: Db,
  ): Promise<void> {
    const { name } = this.#options.queue;
    await lockQueue(db, name);
    const rows = await boss.findJobs(name, { key, queued: true, db });
    const failed = rows.find((row) => row.id === id);
    const second = rows.find((row) => row.id !== id);
    if (failed === undefined || second === undefined) return;
    if (await this.#merge(failed, toRecord(name, second), boss, db))
      await boss.deleteJob(name, second.id, { db });
  }

  async #die(attempt: JobAttempt, failed: JobRecord, error: unknown): Promise<void> {
    const { boss, queue } = this.#options;
    const { id, retryCount } = attempt;
    const dead: JobRecord = { ...failed, state: "dead" };
    await queue.died(dead, error);
    await this.#stored(dead, () =>
      boss.transaction(async (one, db) => {
        const deleted = await one.deleteJob(queue.name, { id, retryCount }, { db });
        if (settled.parse(deleted).affected === 0 || !queue.keepsDead) return;
        await one.insert(deadQueue(queue.name), [toInsert(dead, "0")], { db });
      }),
    );
  }

  /** Stores the result of an attempt, however often the database fails; the attempt lasts until then. */
  async #stored({ id }: { id: string }, work: () => Promise<unknown>): Promise<void> {
    const { log, queue, signal } = this.#options;
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        log.error("jobs.record_failed", { queue: queue.name, id, ...engineFailureFields(error) });
        if (signal.aborted) return;
        await new Promise((resolve) => setTimeout(resolve, RESTORE_MS).unref());
      }
    }
  }
}

/** Waits for other nodes that merge jobs of this queue, until the transaction ends. */
async function lockQueue(db: Db, queue: string): Promise<void> {
  const sql = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
  await db.executeSql(sql, [`site jobs ${queue}`]);
}
