import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Instance, PgBoss } from "pg-boss";
import { ulid, ulidToUUID } from "ulid";
import { errorCode } from "#lib/errors";
import { KeyedLock, within } from "#lib/concurrency";
import { JOB_ID, noDeadJob, queueFull } from "#lib/jobs";
import { databaseStartupError, type SessionLocks } from "#lib/databases";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import type {
  EngineQueue,
  JobEngine,
  JobQueueStatus,
  JobRecord,
  JobState,
} from "../../jobs/contract.js";
import { deadQueue, FOREVER_S, SharedBoss } from "./boss.js";
import { moveOldJobs } from "./old-jobs.js";
import {
  interval,
  type JobRow,
  lockKey,
  MAX_READ,
  QueueWorker,
  toInsert,
  toRecord,
  withPayload,
} from "./job-worker.js";

/** Interval of heartbeats, of checks of the other nodes, and of fetches without a notification, in ms. */
const TURN_MS = 1_000;
/** After a node has ended, its attempts fail when they have had no heartbeat for this time, in ms. */
const SILENCE_MS = 2_500;
/** Interval in which a job of another node is looked at, in ms. */
const POLL_MS = 100;
/** Longest time that closing waits for jobs, in ms. */
const CLOSE_MS = 10_000;
/** Dependencies of the engine. */
export interface PostgresJobsOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  /** Name of the node. */
  readonly node: string;
  readonly locks: Pick<SessionLocks, "tryLock" | "unlock">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Jobs that all nodes run, on pg-boss. */
export class PostgresJobs implements JobEngine {
  readonly isOwner = false;
  readonly isShared = true;
  readonly #options: PostgresJobsOptions;
  readonly #boss: SharedBoss;
  /** Differs between two runs of one node. */
  readonly #instance: string;
  readonly #queues = new Map<string, { of: EngineQueue; worker: QueueWorker }>();
  readonly #closing = new AbortController();
  readonly #adding = new KeyedLock();
  /** Emits the id of each job that ends here, with null or its dead record. */
  readonly #ends = new EventEmitter().setMaxListeners(0);
  /** Jobs that the database did not take, in order. */
  readonly #unstored: { queue: EngineQueue; jobs: readonly JobRecord[] }[] = [];
  /** Instances whose jobs were taken over. */
  readonly #gone = new Set<string>();
  #counts: Awaited<ReturnType<PgBoss["getQueues"]>> = [];
  #countedAt = 0;
  #isLooking = false;
  /** True after a fetch whose result was lost. */
  #isUnsure = false;
  #opening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: PostgresJobsOptions) {
    const { url, node, log } = options;
    this.#options = options;
    this.#instance = `${node} ${ulid()}`;
    this.#boss = new SharedBoss({
      url,
      instance: this.#instance,
      onAdded: (queue) => this.#wake(queue),
      onError: ({ message }) => log.debug("jobs.maintenance_failed", { error: message }),
    });
  }

  /** Connects before the site starts. @throws as `SharedBoss.start`, ERR_POSTGRES_POOLER. */
  async start(): Promise<void> {
    try {
      await this.#options.locks.tryLock(lockOf(this.#instance));
      await this.#boss.start();
      const moved = await moveOldJobs(this.#boss, (job) => this.#delayOf(job));
      if (moved > 0) this.#options.log.info("jobs.moved", { jobs: moved });
    } catch (error) {
      await this.#boss.close();
      throw databaseStartupError(error);
    }
  }

  define(queue: EngineQueue): void {
    const { log } = this.#options;
    const ended = (id: string, record: JobRecord | null): void => void this.#ends.emit(id, record);
    const { signal } = this.#closing;
    const unsure = (): void => void (this.#isUnsure = true);
    const worker = new QueueWorker({ queue, boss: this.#boss, log, signal, unsure, ended });
    this.#queues.set(queue.name, { of: queue, worker });
  }

  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    for (const name of this.#queues.keys()) await this.#boss.createQueue(name);
    // Of nodes that ended while no other one ran.
    this.#inBackground(this.#takeOver());
    this.#wake(null);
    this.#timer = setInterval(() => this.#inBackground(this.#turn()), TURN_MS).unref();
  }

  async add(queue: string, jobs: readonly JobRecord[]): Promise<string[]> {
    const target = this.#queues.get(queue);
    if (target === undefined || jobs.length === 0) return [];
    const { of, worker } = target;
    await this.#assertRoom(of, jobs.length);
    const keys = jobs.map(({ key }) => `${queue} ${key}`);
    // Two jobs of one key that this node adds at the same time keep their order.
    const ids = await this.#adding.runAll(keys, () => this.#store(of, jobs));
    for (const waitMs of new Set(jobs.map(({ runAt }) => this.#waitMs(runAt)))) {
      if (waitMs <= 0) worker.wake();
      else if (waitMs < FOREVER_S) setTimeout(() => worker.wake(), waitMs).unref();
    }
    return ids;
  }

  /** Stores jobs; while the database is away, those whose cause is stored already wait here for it. */
  async #store(queue: EngineQueue, jobs: readonly JobRecord[]): Promise<string[]> {
    try {
      await this.#storeUnstored();
      if (queue.merges) return await this.#merge(queue, jobs);
      await this.#insert(queue, jobs);
    } catch (error) {
      if (!queue.runsUnstored || errorCode(error) !== "ERR_POSTGRES_DOWN") throw error;
      this.#unstored.push({ queue, jobs });
      const fields = { queue: queue.name, id: jobs[0]?.id, jobs: jobs.length };
      this.#options.log.warn("jobs.record_failed", { ...fields, ...engineFailureFields(error) });
    }
    return jobs.map(({ id }) => id);
  }

  async #insert(queue: EngineQueue, jobs: readonly JobRecord[]): Promise<void> {
    const rows = jobs.map((job) => toInsert(job, this.#delayOf(job)));
    await this.#boss.run((boss) => boss.insert(queue.name, rows));
  }

  /** Stores what the database did not take, in order. The connection may have broken after it took some. */
  #storeUnstored(): Promise<void> {
    return this.#adding.run("", async () => {
      for (let next = this.#unstored[0]; next !== undefined; next = this.#unstored[0]) {
        const { queue, jobs } = next;
        const missing: JobRecord[] = [];
        for (const job of jobs)
          if ((await this.#rows(queue.name, job.id)).length === 0) missing.push(job);
        if (queue.merges) await this.#merge(queue, missing);
        else if (missing.length > 0) await this.#insert(queue, missing);
        this.#unstored.shift();
        this.#wake(queue.name);
      }
    });
  }

  /** Adds jobs to those of their keys that wait. */
  #merge(queue: EngineQueue, jobs: readonly JobRecord[]): Promise<string[]> {
    return this.#boss.transaction(async (boss, db) => {
      const ids: string[] = [];
      for (const key of [...new Set(jobs.map((job) => job.key))].sort())
        await lockKey(db, queue.name, key);
      for (const job of jobs) {
        const { key } = job;
        const [row] = await boss.findJobs(queue.name, { key, queued: true, db });
        const waiting = row && toRecord(queue.name, row);
        const merged = waiting && queue.merge(waiting, job);
        if (row !== undefined && waiting !== undefined && merged) {
          const data = withPayload(row, merged.payload);
          const isSooner = merged.runAt < waiting.runAt;
          const time = isSooner ? { startAfter: this.#delayOf(merged) } : {};
          const found = await boss.update(queue.name, data, { id: row.id, ...time, db });
          // Else its attempt has just begun.
          if (found.updated > 0) {
            ids.push(waiting.id);
            continue;
          }
        }
        await boss.insert(queue.name, [toInsert(job, this.#delayOf(job))], { db });
        ids.push(job.id);
      }
      return ids;
    });
  }

  async #assertRoom({ name, maxWaiting }: EngineQueue, added: number): Promise<void> {
    if (maxWaiting === Infinity) return;
    const limit = Math.min(maxWaiting, MAX_READ);
    const stored = await this.#boss.run((boss) => boss.findJobs(name, { limit }));
    if (stored.length + added <= maxWaiting) return;
    throw queueFull(name);
  }

  /** Relative, so that the clock of the database counts, whatever this one says. */
  #delayOf({ runAt }: JobRecord): string {
    return interval(this.#waitMs(runAt));
  }

  #waitMs(runAt: number): number {
    return runAt - this.#options.clock.now();
  }

  async list({ queue, state }: { queue?: string; state?: JobState }): Promise<JobRecord[]> {
    const names = [...this.#queues.keys()].filter((name) => (queue ?? name) === name);
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
    const names = JOB_ID.test(id) ? [...this.#queues.keys()] : [];
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
    if (!JOB_ID.test(id)) return null;
    const done = new AbortController();
    // A job that ends here need not be looked at.
    const here = once(this.#ends, id, { signal: done.signal }).catch(() => null);
    try {
      return await this.#ended(id, here);
    } finally {
      done.abort();
    }
  }

  async #ended(id: string, here: Promise<(JobRecord | null)[] | null>): Promise<JobRecord | null> {
    for (let queues = [...this.#queues.keys()]; ;) {
      const found: JobRecord[] = [];
      for (const name of queues) {
        found.push(...(await this.#live(name, id)), ...(await this.#dead(name, id)));
        if (found.length > 0) break;
      }
      const [record = null] = found;
      if (record === null || record.state === "dead" || this.#closing.signal.aborted) return record;
      queues = [record.queue];
      const ended = await Promise.race([here, delay(POLL_MS, null)]);
      if (ended !== null) return ended[0] ?? null;
    }
  }

  async idle(queue: string): Promise<void> {
    while (!this.#closing.signal.aborted && (await this.#isBusy(queue))) await delay(POLL_MS);
  }

  /** True while a job runs on any node, or waits only for its turn. */
  async #isBusy(queue: string): Promise<boolean> {
    const rows = await this.#rows(queue);
    const held = new Set(
      rows.filter(({ state }) => state === "retry").map((row) => row.singletonKey),
    );
    const now = Date.now();
    return rows.some(({ state, singletonKey, startAfter }) => {
      if (state === "active") return true;
      const isDue = Number(startAfter) <= now;
      return state === "retry" ? isDue : isDue && !held.has(singletonKey);
    });
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
      [...this.#queues].map(([name, { worker }]) => {
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
        return readyOldestSeconds !== null && since < before && this.#queues.has(name);
      })
      .map(({ name }) => name);
  }

  claim(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async finish(): Promise<void> {
    if (this.#opening === null) return;
    const queues = [...this.#queues.values()].filter(({ of }) => of.finishesOnClose);
    const idle = Promise.all(queues.map(({ of }) => this.idle(of.name)));
    await within(CLOSE_MS, idle, () => undefined).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#opening?.catch(() => undefined);
    const workers = [...this.#queues].map(async ([queue, { worker }]) => {
      await within(CLOSE_MS, worker.ended(), async () => {
        this.#options.log.warn("jobs.left_running", { queue, count: worker.running });
        await worker.abandon().catch(() => undefined);
      });
    });
    await Promise.all(workers);
    await this.#storeUnstored().catch(() => {
      const lost = this.#unstored.reduce((sum, { jobs }) => sum + jobs.length, 0);
      this.#options.log.error("jobs.lost", { jobs: lost });
    });
    await this.#boss.close();
    await this.#options.locks.unlock(lockOf(this.#instance));
  }

  #wake(queue: string | null): void {
    if (this.#opening === null) return;
    for (const [name, { worker }] of this.#queues) if ((queue ?? name) === name) worker.wake();
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#options.log.debug("jobs.turn_failed", engineFailureFields(error));
    });
  }

  /** Sends heartbeats, starts jobs whose time has come, and checks the other nodes. */
  async #turn(): Promise<void> {
    await this.#storeUnstored();
    this.#wake(null);
    await Promise.all([...this.#queues.values()].map(({ worker }) => worker.touch()));
    // Taking over lasts longer than a turn; the heartbeats go on meanwhile.
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.#look().finally(() => (this.#isLooking = false));
  }

  async #look(): Promise<void> {
    this.#counts = await this.#boss.run((boss) => boss.getQueues());
    this.#countedAt = this.#options.clock.now();
    const instances = await this.#boss.run((boss) => boss.getInstances({ limit: MAX_READ }));
    let isAnyGone = false;
    for (const instance of instances) isAnyGone = (await this.#hasEnded(instance)) || isAnyGone;
    if (!isAnyGone && !this.#isUnsure) return;
    this.#isUnsure = false;
    await this.#takeOver();
  }

  /** True once for an instance whose process has ended without closing: PostgreSQL has freed its lock. */
  async #hasEnded({ name, live }: Instance): Promise<boolean> {
    if (name === null || !live || name === this.#instance || this.#gone.has(name)) return false;
    const { locks } = this.#options;
    if (!(await locks.tryLock(lockOf(name)))) return false;
    await locks.unlock(lockOf(name));
    this.#gone.add(name);
    return true;
  }

  /** Fails the attempts that no node makes: each node sends a heartbeat for its own every second. */
  async #takeOver(): Promise<void> {
    const before = new Map((await this.#foreign()).map(({ row }) => [row.id, row]));
    if (before.size === 0) return;
    await delay(SILENCE_MS, undefined, { signal: this.#closing.signal });
    for (const { row, worker } of await this.#foreign()) {
      const earlier = before.get(row.id);
      const isSilent =
        earlier?.retryCount === row.retryCount &&
        Number(earlier.heartbeatOn) === Number(row.heartbeatOn);
      if (isSilent) await worker.takeOver(row);
    }
  }

  /** Attempts under way that this node does not make. */
  async #foreign(): Promise<{ row: JobRow; worker: QueueWorker }[]> {
    const found: { row: JobRow; worker: QueueWorker }[] = [];
    for (const [name, { worker }] of this.#queues) {
      for (const row of await this.#rows(name)) {
        if (row.state === "active" && !worker.runs(row)) found.push({ row, worker });
      }
    }
    return found;
  }
}

/** The lock that an instance holds while it lives. */
function lockOf(instance: string): string {
  return `jobs ${instance}`;
}
