import type { JobQueueStatus, JobRecord } from "../contracts.js";
import { engineFailureFields } from "../engines/engine-calls.js";
import { JobAttempts, type AttemptOptions } from "./job-attempts.js";
import { JobGroups } from "./job-groups.js";
import { JobLines, type JobLine } from "./job-line.js";
import { JobLoading } from "./job-loading.js";

/** Jobs in memory per queue; more wait in the store. */
const MAX_LOADED = 10_000;
/** What a runner works with. */
export interface RunnerOptions<P> extends AttemptOptions<P> {
  /** Default 10,000. */
  maxLoaded?: number;
}

/** Runs the jobs of one queue: in order per key, a bounded number per group, with retries. */
export class JobRunner<P> {
  readonly #setup: RunnerOptions<P>;
  readonly #loaded = new Map<string, JobRecord>();
  readonly #lines = new JobLines();
  readonly #groups: JobGroups;
  readonly #attempts: JobAttempts<P>;
  /** Jobs that only this process knows: the store failed. */
  readonly #unstored = new Set<string>();
  readonly #loading = new JobLoading();
  #hasMoreInStore = false;
  #isStarted = false;
  #dead = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(setup: RunnerOptions<P>) {
    this.#setup = setup;
    this.#attempts = new JobAttempts({
      ...setup,
      ended: (id, record) => {
        if (record !== null && setup.options.keepsDead !== false) this.#dead += 1;
        setup.ended(id, record);
      },
    });
    this.#groups = new JobGroups({
      concurrency: setup.options.concurrency ?? 1,
      signal: setup.signal,
      start: (line) => this.#start(line),
      settled: () => this.#notifyIdle(),
    });
  }

  get running(): number {
    return this.#groups.running;
  }

  status(): JobQueueStatus {
    return { waiting: this.#loaded.size - this.running, running: this.running, dead: this.#dead };
  }

  /** True when the next job of a line should have started before `before` (Unix ms). */
  isOverdue = (before: number): boolean => this.#lines.isOverdue(before);

  /** Takes a dead job that is to run again. */
  revive(record: JobRecord): void {
    this.#dead -= 1;
    this.accept(record);
  }

  /** Loads stored jobs; calls during a run share it. */
  load(): Promise<void> {
    this.#isStarted = true;
    return this.#loading.run(
      () => this.#load(),
      (added) => {
        for (const record of added) this.accept(record);
        this.#notifyIdle();
      },
    );
  }

  /** Takes a job. When memory is full it stays in the store until there is room. */
  accept(record: JobRecord, { isStored = true } = {}): void {
    if (!this.#isStarted || this.#setup.signal.aborted) return;
    if (!isStored) this.#unstored.add(record.id);
    if (this.#loading.isRunning) this.#loading.add(record);
    else this.#take(record);
  }

  /** Merges a new job into the last one of its key, unless that runs; null when it stays a job of its own. */
  merge(added: JobRecord): JobRecord | null {
    const line = this.#lines.get(added.key);
    const merged = line?.mergeLast(this.#setup.options, added) ?? null;
    if (line === undefined || merged === null) return null;
    this.#loaded.set(merged.id, merged);
    if (line.stopTimer()) this.#schedule(line);
    return merged;
  }

  /** Starts jobs that wait for their time now, also those between two attempts. */
  async hurry(): Promise<void> {
    await this.#loading.done();
    for (const line of this.#lines.all) if (line.stopTimer()) this.#groups.add(line);
  }

  /** Another process runs the stored jobs from now on; attempts under way end here. */
  release(): void {
    for (const line of this.#lines.all) this.#drop(line);
  }

  #mayRun({ id }: JobRecord): boolean {
    return this.#setup.store().isOwner || this.#unstored.has(id);
  }

  /** Leaves the stored jobs of a line to their owner, but not a running one. */
  #drop(line: JobLine): void {
    const isTimed = line.stopTimer();
    for (const job of line.jobs.splice(line.isRunning ? 1 : 0)) {
      if (this.#unstored.has(job.id)) line.jobs.push(job);
      else this.#loaded.delete(job.id);
    }
    const [first] = line.jobs;
    if (first === undefined) this.#lines.close(line);
    else if (isTimed) this.#schedule(line);
  }

  #take(record: JobRecord): void {
    if (this.#loaded.has(record.id) || this.#loading.hasEnded(record.id)) return;
    const max = this.#setup.maxLoaded ?? MAX_LOADED;
    if (this.#hasMoreInStore || this.#loaded.size >= max) {
      this.#hasMoreInStore = true;
      return;
    }
    const merged = this.merge(record);
    if (merged !== null) {
      this.#loading.end(record.id);
      this.#attempts.absorb(merged, record);
      return;
    }
    this.#loaded.set(record.id, record);
    const line = this.#lines.open(record);
    line.jobs.push(record);
    if (line.jobs[0] === record) this.#schedule(line);
  }

  /** True for a job that waits or runs in this process. */
  has(id: string): boolean {
    return this.#loaded.has(id) || this.#loading.has(id);
  }

  /** Resolves when no attempt runs and no job is due. */
  async idle(): Promise<void> {
    while (!this.#isIdle) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Resolves when the attempts under way have ended; waiting jobs stay in the store. */
  async close(): Promise<void> {
    for (const line of this.#lines.all) line.stopTimer();
    await this.#loading.done();
    await this.#groups.ended();
    await this.#attempts.settled();
    this.#notifyIdle();
  }

  get #isIdle(): boolean {
    if (this.running > 0) return false;
    return this.#setup.signal.aborted || (!this.#loading.isRunning && !this.#groups.isDue);
  }

  async #load(): Promise<void> {
    const { store, queue, signal } = this.#setup;
    this.#hasMoreInStore = false;
    this.#dead = await store().count(queue, "dead");
    for await (const record of store().list(queue, "live")) {
      if (signal.aborted || this.#hasMoreInStore) return;
      if (this.#loaded.has(record.id)) continue;
      const job = await this.#attempts.recover(record);
      if (job !== null) this.#take(job);
    }
  }

  /** Starts the first job of a line, now or when its time comes. */
  #schedule(line: JobLine): void {
    const { clock, signal } = this.#setup;
    if (!signal.aborted)
      line.schedule(
        () => clock.now(),
        (due) => this.#groups.add(due),
      );
  }

  #start(line: JobLine): Promise<void> | null {
    const [job] = line.jobs;
    if (job === undefined) return null;
    if (!this.#mayRun(job)) {
      this.#drop(line);
      return null;
    }
    line.isRunning = true;
    return this.#attempts.run(job).then((next) => {
      line.isRunning = false;
      this.#after(line, next);
    });
  }

  /** `next`: the job as it waits for another attempt, or null when it has ended. */
  #after(line: JobLine, next: JobRecord | null): void {
    const [job] = line.jobs;
    if (job === undefined) return;
    if (next === null) {
      this.#leave(line, job);
    } else {
      line.jobs[0] = next;
      this.#loaded.set(next.id, next);
      this.#mergeFollowing(line);
      if (this.#mayRun(next)) this.#schedule(line);
      else this.#drop(line);
    }
  }

  /** What was added during a failed attempt waits with it from now on. */
  #mergeFollowing(line: JobLine): void {
    const found = line.mergeFollowing(this.#setup.options);
    if (found === null) return;
    const { merged, second } = found;
    this.#loaded.set(merged.id, merged);
    this.#loaded.delete(second.id);
    this.#attempts.absorb(merged, second);
  }

  #leave(line: JobLine, job: JobRecord): void {
    line.jobs.shift();
    this.#loaded.delete(job.id);
    this.#unstored.delete(job.id);
    this.#loading.end(job.id);
    if (line.jobs.length > 0) this.#schedule(line);
    else this.#lines.close(line);
    const max = this.#setup.maxLoaded ?? MAX_LOADED;
    if (this.#hasMoreInStore && !this.#loading.isRunning && this.#loaded.size <= max / 2) {
      const { queue, log } = this.#setup;
      this.load().catch((error: unknown) => {
        log.error("jobs.load_failed", { queue, ...engineFailureFields(error) });
      });
    }
  }

  #notifyIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
