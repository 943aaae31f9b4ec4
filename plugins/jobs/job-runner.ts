import { engineFailureFields } from "#kernel";
import type { JobQueueStatus, JobRecord } from "./contract.js";
import { JobAttempts, type AttemptOptions } from "./job-attempts.js";
import { JobLines } from "./job-lines.js";

/** Jobs in memory per queue; more wait in the store. */
const MAX_LOADED = 10_000;

/** Jobs that change while the stored ones are read: the records that are read may be out of date. */
interface Loading {
  /** Added since it began: older jobs of their key come first. */
  readonly added: JobRecord[];
  /** Ids of jobs that ended, or were merged into others. */
  readonly ended: Set<string>;
  readonly done: Promise<void>;
}

/**
 * Runs the jobs of one queue while this process owns them: loads what is stored, takes what is added, and
 * loads more when memory has room again.
 */
export class JobRunner {
  readonly #setup: AttemptOptions;
  readonly #attempts: JobAttempts;
  readonly #lines: JobLines;
  /** Jobs that only this process knows: the store failed. */
  readonly #unstored = new Set<string>();
  #loading: Loading | null = null;
  #hasMoreInStore = false;
  #isStarted = false;
  #dead = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(setup: AttemptOptions) {
    const { queue, clock, signal, store } = setup;
    this.#setup = setup;
    this.#attempts = new JobAttempts({
      ...setup,
      ended: (id, record) => {
        if (record !== null && queue.keepsDead) this.#dead += 1;
        setup.ended(id, record);
      },
    });
    this.#lines = new JobLines({
      queue,
      clock,
      signal,
      mayRun: ({ id }) => store().isOwner || this.#unstored.has(id),
      attempt: (job) => this.#attempts.run(job),
      left: (job) => this.#left(job),
      afterAttempt: () => this.#notifyIdle(),
      absorb: (merged, second) => this.#attempts.absorb(merged, second),
    });
  }

  /** Number of attempts under way. */
  get running(): number {
    return this.#lines.running;
  }

  /** Counts of the jobs in this process, and of the dead ones. */
  status(): JobQueueStatus {
    const { size, running } = this.#lines;
    return { waiting: size - running, running, dead: this.#dead };
  }

  /** True for a job that waits or runs in this process. */
  has(id: string): boolean {
    return this.#lines.has(id) || (this.#loading?.added.some((job) => job.id === id) ?? false);
  }

  /** True when the next job of a key should have started before `before` (Unix ms). */
  isOverdue(before: number): boolean {
    return this.#lines.isOverdue(before);
  }

  /** Loads stored jobs and starts those that are due; calls during a run share it. @throws errors of the store. */
  load(): Promise<void> {
    this.#isStarted = true;
    if (this.#loading !== null) return this.#loading.done;
    const added: JobRecord[] = [];
    const ended = new Set<string>();
    const done = this.#readStore().finally(() => {
      this.#loading = null;
      for (const job of added) if (!ended.has(job.id)) this.accept(job);
      this.#notifyIdle();
    });
    this.#loading = { added, ended, done };
    return done;
  }

  /** Takes a new job. When memory is full, a stored one stays in the store until there is room. */
  accept(job: JobRecord, { isStored = true } = {}): void {
    if (!this.#isStarted || this.#setup.signal.aborted) return;
    if (!isStored) this.#unstored.add(job.id);
    if (this.#loading === null) this.#take(job);
    else this.#loading.added.push(job);
  }

  /** Takes a dead job that is to run again. */
  revive(job: JobRecord): void {
    this.#dead -= 1;
    this.accept(job);
  }

  /** Merges a new job into the last one of its key, unless that runs; null when it stays a job of its own. */
  merge(added: JobRecord): JobRecord | null {
    return this.#lines.merge(added);
  }

  /** Starts jobs that wait for their time now, also those between two attempts. */
  async hurry(): Promise<void> {
    await this.#loading?.done;
    this.#lines.hurry();
  }

  /** Another process runs the stored jobs from now on; attempts under way end here. */
  release(): void {
    this.#lines.handOver();
  }

  /** Resolves when no attempt runs and no job is due. */
  async idle(): Promise<void> {
    while (!this.#isIdle) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Resolves when the attempts under way have ended; waiting jobs stay in the store. */
  async close(): Promise<void> {
    this.#lines.stop();
    await this.#loading?.done;
    await this.#lines.ended();
    await this.#attempts.settled();
    this.#notifyIdle();
  }

  /** Takes the stored jobs, oldest first, until memory is full. */
  async #readStore(): Promise<void> {
    const { store, queue, signal } = this.#setup;
    this.#hasMoreInStore = false;
    this.#dead = await store().count(queue.name, "dead");
    for await (const record of store().list(queue.name, "live")) {
      if (signal.aborted || this.#hasMoreInStore) return;
      if (this.#lines.has(record.id)) continue;
      const job = await this.#attempts.recover(record);
      if (job !== null) this.#take(job);
    }
  }

  /** Takes a job into memory, unless it is there, has ended, or must wait in the store for room. */
  #take(job: JobRecord): void {
    if (this.#lines.has(job.id) || this.#loading?.ended.has(job.id) === true) return;
    const isFull = this.#hasMoreInStore || this.#lines.size >= MAX_LOADED;
    if (isFull && !this.#unstored.has(job.id)) {
      this.#hasMoreInStore = true;
      return;
    }
    const merged = this.#lines.merge(job);
    if (merged === null) {
      this.#lines.add(job);
      return;
    }
    this.#unstored.delete(job.id);
    this.#loading?.ended.add(job.id);
    this.#attempts.absorb(merged, job);
  }

  /** A job has ended: loads more once half of the memory is free. */
  #left({ id }: JobRecord): void {
    this.#unstored.delete(id);
    this.#loading?.ended.add(id);
    const hasRoom = this.#lines.size <= MAX_LOADED / 2;
    if (!this.#hasMoreInStore || this.#loading !== null || !hasRoom) return;
    const { queue, log } = this.#setup;
    this.load().catch((error: unknown) => {
      log.error("jobs.load_failed", { queue: queue.name, ...engineFailureFields(error) });
    });
  }

  get #isIdle(): boolean {
    if (this.running > 0) return false;
    return this.#setup.signal.aborted || (this.#loading === null && !this.#lines.isDue);
  }

  #notifyIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
