import { setTimeout as delay } from "node:timers/promises";
import { within } from "#lib/concurrency";
import { noDeadJob } from "#lib/jobs";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import type { EngineQueue, JobEngine, JobQueueStatus, JobRecord, JobState } from "../contract.js";
import { JobAdder, type AddingQueue } from "../job-adder.js";
import { JobRunner } from "../job-runner.js";
import type { JobStore } from "../job-store.js";

/** Longest time that closing waits for jobs, in ms. */
const CLOSE_MS = 10_000;
/** Interval in which the store is asked whether a job of another process has ended, in ms. */
const POLL_MS = 100;

/** Dependencies of the engine. */
export interface StoredJobsDependencies {
  store: JobStore;
  clock: Clock;
  log: Logger;
  /** Aborted when the site closes. */
  signal: AbortSignal;
}
interface Queue extends AddingQueue {
  readonly runner: JobRunner;
}

/** The jobs of a site root, which the process runs that owns their store. */
export class StoredJobs implements JobEngine {
  readonly isShared = false;
  readonly #dependencies: StoredJobsDependencies;
  readonly #store: JobStore;
  readonly #queues = new Map<string, Queue>();
  readonly #outcomes: JobOutcomes;
  readonly #adder: JobAdder;
  #opening: Promise<void> | null = null;
  /** False while this process has claimed the jobs but leaves those that wait alone. */
  #isRunning = false;

  constructor(dependencies: StoredJobsDependencies) {
    this.#dependencies = dependencies;
    this.#store = dependencies.store;
    const { store, clock, log } = dependencies;
    this.#adder = new JobAdder({ store: () => store, clock, log, isOwner: () => this.isOwner });
    this.#outcomes = new JobOutcomes({
      isHere: (id) => [...this.#queues.values()].some(({ runner }) => runner.has(id)),
      stored: (id) => this.#stored(id),
      signal: dependencies.signal,
    });
  }

  get isOwner(): boolean {
    return this.#opening !== null && this.#store.isOwner;
  }

  define(queue: EngineQueue): void {
    const { store, clock, log, signal } = this.#dependencies;
    const ended = (id: string, record: JobRecord | null): void => this.#outcomes.ended(id, record);
    const runner = new JobRunner({ queue, store: () => store, clock, log, signal, ended });
    this.#queues.set(queue.name, { of: queue, runner, arriving: 0 });
  }

  async add(queue: string, jobs: readonly JobRecord[]): Promise<string[]> {
    const target = this.#queues.get(queue);
    return target === undefined ? [] : this.#adder.add(target, jobs);
  }

  async list({ queue, state }: { queue?: string; state?: JobState }): Promise<JobRecord[]> {
    const names = [...this.#queues.keys()].filter((name) => (queue ?? name) === name);
    const records: JobRecord[] = [];
    for (const name of names) {
      for (const kind of ["live", "dead"] as const) {
        if (state !== undefined && (state === "dead") !== (kind === "dead")) continue;
        for await (const record of this.#store.list(name, kind)) {
          if (state === undefined || record.state === state) records.push(record);
        }
      }
    }
    return records.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async retry(id: string): Promise<JobRecord> {
    for (const [queue, { runner }] of this.#queues) {
      const record = await this.#store.read(queue, id);
      if (record?.state !== "dead") continue;
      const now = this.#dependencies.clock.now();
      const next: JobRecord = { ...record, state: "waiting", attempts: 0, runAt: now };
      await this.#store.write(next);
      if (this.isOwner) runner.revive(next);
      return next;
    }
    throw noDeadJob(id);
  }

  outcome(id: string): Promise<JobRecord | null> {
    return this.#outcomes.of(id);
  }

  async idle(queue: string): Promise<void> {
    await this.#queues.get(queue)?.runner.idle();
  }

  async flush(queue: string): Promise<void> {
    const runner = this.#queues.get(queue)?.runner;
    await runner?.hurry();
    await runner?.idle();
  }

  status(): Record<string, JobQueueStatus> {
    return Object.fromEntries(
      [...this.#queues].map(([name, { runner }]) => [name, runner.status()]),
    );
  }

  overdue(before: number): string[] {
    if (!this.isOwner) return [];
    return [...this.#queues].flatMap(([name, { runner }]) =>
      runner.isOverdue(before) ? [name] : [],
    );
  }

  async claim(): Promise<boolean> {
    if (this.#dependencies.signal.aborted) return this.isOwner;
    const load = (): void => this.#load();
    const lost = (): void => this.#queues.forEach(({ runner }) => runner.release());
    await (this.#opening ??= this.#store.open({ owned: load, lost, added: load }));
    return this.isOwner;
  }

  async open(): Promise<void> {
    const wasClaimed = this.isOwner && !this.#isRunning;
    this.#isRunning = true;
    if (wasClaimed) this.#load();
    await this.claim();
  }

  #load(): void {
    if (!this.#isRunning) return;
    for (const { runner } of this.#queues.values()) {
      runner.load().catch((error: unknown) => {
        this.#dependencies.log.error("jobs.load_failed", engineFailureFields(error));
      });
    }
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const runners = [...this.#queues].map(async ([queue, { runner }]) => {
      await within(CLOSE_MS, runner.close(), () => {
        this.#dependencies.log.warn("jobs.left_running", { queue, count: runner.running });
      });
    });
    await Promise.all(runners);
    await this.#outcomes.close();
    await this.#store.close();
  }

  async #stored(id: string): Promise<JobRecord | null> {
    for (const queue of this.#queues.keys()) {
      const record = await this.#store.read(queue, id);
      if (record !== null) return record;
    }
    return null;
  }
}

/** Dependencies of waiting for outcomes. */
interface OutcomeDependencies {
  /** True for a job that waits or runs in this process. */
  isHere(id: string): boolean;
  /** The stored job, of any queue. */
  stored(id: string): Promise<JobRecord | null>;
  /** Aborted when the site closes. */
  signal: AbortSignal;
}

/** Callers that wait for the end of a job. */
class JobOutcomes {
  readonly #dependencies: OutcomeDependencies;
  readonly #waiters = new Map<string, ((record: JobRecord | null) => void)[]>();

  constructor(dependencies: OutcomeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves with null for a job that succeeded, else with what is stored when it is dead or the site closes. */
  async of(id: string): Promise<JobRecord | null> {
    const { isHere, stored, signal } = this.#dependencies;
    for (;;) {
      if (isHere(id) && !signal.aborted) {
        return new Promise((resolve) => {
          this.#waiters.set(id, [...(this.#waiters.get(id) ?? []), resolve]);
        });
      }
      const record = await stored(id);
      if (record === null || record.state === "dead" || signal.aborted) return record;
      // Another process runs it, or it waits in the store for room in memory.
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Answers the callers that wait for a job. */
  ended(id: string, record: JobRecord | null): void {
    const waiters = this.#waiters.get(id) ?? [];
    this.#waiters.delete(id);
    for (const resolve of waiters) resolve(record);
  }

  /** The site closes: answers all callers with what is stored. */
  async close(): Promise<void> {
    const ids = [...this.#waiters.keys()];
    for (const id of ids) {
      this.ended(id, await this.#dependencies.stored(id).catch(() => null));
    }
  }
}
