import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db, JobAttempt, JobInsert, JobWithMetadata, PgBoss } from "pg-boss";
import { ulidToUUID, uuidToULID } from "ulid";
import { z } from "zod";
import { engineFailureFields, type Logger } from "#kernel";
import { messageOf } from "#lib/errors";
import type { EngineQueue, JobRecord } from "../../jobs/contract.js";
import { deadQueue, type SharedBoss } from "./boss.js";

/** Most jobs of a queue that run on one node at the same time. */
const MAX_RUNNING = 100;
/** Most jobs that one look reads. */
export const MAX_READ = 100_000;
/** Pause before the result of an attempt is stored again, in ms. */
const RESTORE_MS = 1_000;
const CUT_SHORT = "the process ended during the attempt";

/** What pg-boss stores of a job. `payload` is text, because `jsonb` has no NUL. */
const storedJob = z.object({
  payload: z.string(),
  createdAt: z.number(),
  /** Attempts that pg-boss has not counted: of dead jobs, and of those of an older version. */
  attempts: z.number().default(0),
  startedAt: z.number().nullable().default(null),
  lastError: z.string().nullable().default(null),
});
/** A row that is not ours has no payload, so its queue rejects it. */
const NOTHING = { payload: "", attempts: 0, startedAt: null, lastError: null };
/** pg-boss has no group without a name. */
const GROUP = "group ";

/** What a failed attempt leaves: from here, or from pg-boss itself. */
const failure = z.object({
  message: z.string().exactOptional(),
  startedAt: z.number().exactOptional(),
  value: z.object({ message: z.string() }).exactOptional(),
});

/** The reply of calls that end an attempt: 0 when it is no longer the job's attempt. */
const settled = z.object({ affected: z.number() });

/** A job as pg-boss returns it. */
export type JobRow = JobWithMetadata<unknown>;

/** A stored job as pg-boss gets it. `delay`: an interval from now. */
export function toInsert(job: JobRecord, delay: string): JobInsert {
  const { id, key, group, payload, createdAt, attempts, startedAt, lastError } = job;
  return {
    id: ulidToUUID(id),
    singletonKey: key || id,
    group: { id: `${GROUP}${group}` },
    startAfter: delay,
    data: { payload: JSON.stringify(payload), createdAt, attempts, startedAt, lastError },
  };
}

/** A job of a queue, or of its dead ones. */
export function toRecord(queue: string, row: JobRow, isDead = false): JobRecord {
  const stored = storedJob.safeParse(row.data).data ?? {
    ...NOTHING,
    createdAt: Number(row.createdOn),
  };
  const hasStarted = Number(row.startedOn ?? 0) > 0;
  const waits = row.state === "active" ? "running" : "waiting";
  return {
    id: uuidToULID(row.id),
    queue,
    key: row.singletonKey ?? "",
    group: (row.groupId ?? "").slice(GROUP.length),
    payload: parseText(stored.payload),
    state: isDead ? "dead" : waits,
    attempts: stored.attempts + (hasStarted ? row.retryCount + 1 : 0),
    createdAt: stored.createdAt,
    runAt: Number(row.startAfter),
    startedAt: hasStarted ? Number(row.startedOn) : stored.startedAt,
    lastError: failureOf(row).message ?? stored.lastError,
  };
}

/** What the last failed attempt left. */
function failureOf({ output }: JobRow): { message?: string; startedAt?: number } {
  const { value, ...failed } = failure.safeParse(output ?? {}).data ?? {};
  return { ...value, ...failed };
}

/** What pg-boss stores of a row with another payload. */
export function withPayload({ data }: JobRow, payload: unknown): z.infer<typeof storedJob> {
  return { ...storedJob.parse(data), payload: JSON.stringify(payload) };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Dependencies of a worker. */
export interface QueueWorkerOptions {
  readonly queue: EngineQueue;
  readonly boss: SharedBoss;
  readonly log: Logger;
  /** Aborted when the site closes: no attempt starts then. */
  readonly signal: AbortSignal;
  /** Called after a fetch whose result was lost: no process may make the attempts of its jobs. */
  unsure(): void;
  /** Called when a job has succeeded here (null) or is dead. */
  ended(id: string, record: JobRecord | null): void;
}

/** Runs the jobs of one queue that this node fetches. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
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

  /** True for a row of pg-boss that runs here. */
  runs({ id }: { id: string }): boolean {
    return this.#running.has(id);
  }

  /** Fetches jobs that are due, in the background. */
  wake(): void {
    this.#isWoken = true;
    if (this.#filling !== null || this.#options.signal.aborted) return;
    const { log, queue } = this.#options;
    this.#filling = this.#fill()
      .catch((error: unknown) => {
        log.debug("jobs.fetch_failed", { queue: queue.name, ...engineFailureFields(error) });
        this.#options.unsure();
      })
      .finally(() => {
        this.#filling = null;
      });
  }

  /** Tells the other nodes that the attempts here go on. */
  async touch(): Promise<void> {
    const attempts = [...this.#running.values()];
    if (attempts.length === 0) return;
    await this.#options.boss.run((boss) => boss.touch(this.#options.queue.name, attempts));
  }

  /** Resolves when the attempts under way have ended and are stored. */
  async ended(): Promise<void> {
    await this.#filling;
    await Promise.all(this.#attempts);
  }

  /** Ends an attempt that no process makes any more: it has failed. */
  async takeOver(row: JobRow): Promise<void> {
    const job = toRecord(this.#options.queue.name, row);
    const delayMs = this.#options.queue.delayAfter(job.attempts, null) ?? 0;
    // By the clock of the database, which wrote when the attempt began.
    const next = new Date(Number(row.startedOn) + delayMs);
    await this.#retry(row, { ...job, lastError: CUT_SHORT }, next);
    this.wake();
  }

  /** Gives up the attempts that have not ended when the site closes. */
  async abandon(): Promise<void> {
    for (const { id } of this.#running.values()) {
      const { boss, queue } = this.#options;
      const rows = await boss.run((one) => one.findJobs(queue.name, { id }));
      for (const row of rows) if (row.state === "active") await this.takeOver(row);
    }
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
    const { startedAt } = failureOf(row);
    const previousAt = startedAt ?? storedJob.safeParse(row.data).data?.startedAt ?? null;
    try {
      await queue.run(job, job.attempts > 1 ? (previousAt ?? job.createdAt) : null, signal);
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
    this.#options.ended(job.id, null);
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
    { lastError, startedAt }: JobRecord,
    startAfter: string | Date,
  ): Promise<void> {
    const { boss, queue } = this.#options;
    await boss.transaction(async (one, db) => {
      const output = { message: lastError, startedAt };
      const failed = await one.fail(queue.name, { id, retryCount }, output, { db });
      // Another node has taken the job over.
      if (settled.parse(failed).affected === 0) return;
      await one.update(queue.name, undefined, { id, startAfter, db });
      if (queue.merges) await this.#mergeFollowing(one, db, id);
    });
  }

  /** After a failed attempt, a job that was added meanwhile waits with the one that failed. */
  async #mergeFollowing(boss: PgBoss, db: Db, id: string): Promise<void> {
    const { queue } = this.#options;
    const [failed] = await boss.findJobs(queue.name, { id, db });
    const key = failed?.singletonKey;
    if (failed === undefined || typeof key !== "string") return;
    await lockKey(db, queue.name, key);
    const waiting = await boss.findJobs(queue.name, { key, queued: true, db });
    for (const second of waiting.filter((row) => row.id !== id)) {
      const merged = queue.merge(toRecord(queue.name, failed), toRecord(queue.name, second));
      if (merged === null) continue;
      await boss.update(queue.name, withPayload(failed, merged.payload), { id, db });
      await boss.deleteJob(queue.name, second.id, { db });
    }
  }

  async #die(attempt: JobAttempt, failed: JobRecord, error: unknown): Promise<void> {
    const { boss, queue, ended } = this.#options;
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
    ended(dead.id, dead);
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

/** An interval from now as PostgreSQL reads it. */
export function interval(ms: number): string {
  return `${Math.max(0, Math.round(ms))} milliseconds`;
}

/** Waits for other nodes that merge jobs of this key, until the transaction ends. */
export async function lockKey(db: Db, queue: string, key: string): Promise<void> {
  const sql = "select pg_advisory_xact_lock(hashtextextended($1, 0))";
  await db.executeSql(sql, [`site job ${queue} ${key}`]);
}
