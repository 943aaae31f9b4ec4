import type { JobQueueStatus, JobRecord } from "../contracts.js";
import { JobAttempts, messageOf, type AttemptOptions } from "./job-attempts.js";
import { JobLine } from "./job-line.js";

/** Jobs in memory per queue; more wait in the store. */
const MAX_LOADED = 10_000;
/** What a runner works with. */
export interface RunnerOptions<P> extends AttemptOptions<P> {
  /** Default 10,000. */
  maxLoaded?: number;
}
/** Jobs of one group: which lines are due, and how many run. */
interface Group {
  readonly due: JobLine[];
  running: number;
}

/** Runs the jobs of one queue: in order per key, a bounded number per group, with retries. */
export class JobRunner<P> {
  readonly #setup: RunnerOptions<P>;
  readonly #loaded = new Map<string, JobRecord>();
  readonly #lines = new Map<string, JobLine>();
  readonly #groups = new Map<string, Group>();
  readonly #attempts: JobAttempts<P>;
  readonly #running = new Set<Promise<void>>();
  #loading: Promise<void> | null = null;
  /** Jobs that ended while the store was read: what was read of them is out of date. */
  #endedWhileLoading: Set<string> | null = null;
  /** Jobs added while the store was read: older ones of their key come first. */
  #addedWhileLoading: JobRecord[] = [];
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
  }

  get running(): number {
    return this.#running.size;
  }

  status(): JobQueueStatus {
    const running = this.#running.size;
    return { waiting: this.#loaded.size - running, running, dead: this.#dead };
  }

  /** Takes a dead job that is to run again. */
  revive(record: JobRecord): void {
    this.#dead -= 1;
    this.accept(record);
  }

  /** Loads stored jobs; calls during a run share it. */
  load(): Promise<void> {
    this.#isStarted = true;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
      this.#endedWhileLoading = null;
      for (const record of this.#addedWhileLoading.splice(0)) this.accept(record);
      this.#notifyIdle();
    });
    return this.#loading;
  }

  /** Takes a stored job. When memory is full it stays in the store until there is room. */
  accept(record: JobRecord): void {
    if (!this.#isStarted || this.#setup.signal.aborted) return;
    if (this.#loading === null) this.#take(record);
    else this.#addedWhileLoading.push(record);
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
    if (this.#loading !== null) await this.#loading;
    for (const line of this.#lines.values()) if (line.stopTimer()) this.#due(line);
  }

  #take(record: JobRecord): void {
    if (this.#loaded.has(record.id) || this.#endedWhileLoading?.has(record.id) === true) return;
    const max = this.#setup.maxLoaded ?? MAX_LOADED;
    if (this.#hasMoreInStore || this.#loaded.size >= max) {
      this.#hasMoreInStore = true;
      return;
    }
    const merged = this.merge(record);
    if (merged !== null) {
      void this.#attempts.absorb(merged, record);
      return;
    }
    this.#loaded.set(record.id, record);
    const line = this.#lines.get(record.key) ?? this.#openLine(record);
    line.jobs.push(record);
    if (line.jobs[0] === record) this.#schedule(line);
  }

  /** True for a job that waits or runs in this process. */
  has(id: string): boolean {
    return this.#loaded.has(id);
  }

  /** Resolves when no attempt runs and no job is due. */
  async idle(): Promise<void> {
    while (!this.#isIdle) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Resolves when the attempts under way have ended; waiting jobs stay in the store. */
  async close(): Promise<void> {
    for (const line of this.#lines.values()) line.stopTimer();
    await this.#loading;
    await Promise.all(this.#running);
    this.#notifyIdle();
  }

  get #isIdle(): boolean {
    if (this.#setup.signal.aborted) return this.#running.size === 0;
    const isDue = [...this.#groups.values()].some(({ due }) => due.length > 0);
    return this.#running.size === 0 && this.#loading === null && !isDue;
  }

  async #load(): Promise<void> {
    const { store, queue, signal } = this.#setup;
    this.#hasMoreInStore = false;
    this.#endedWhileLoading = new Set();
    this.#dead = await store().count(queue, "dead");
    for await (const record of store().list(queue, "live")) {
      if (signal.aborted || this.#hasMoreInStore) return;
      if (this.#loaded.has(record.id)) continue;
      const job = await this.#attempts.recover(record);
      if (job !== null) this.#take(job);
    }
  }

  #openLine({ key, group }: JobRecord): JobLine {
    const line = new JobLine(group);
    this.#lines.set(key, line);
    return line;
  }

  /** Starts the first job of a line, now or when its time comes. */
  #schedule(line: JobLine): void {
    const { clock, signal } = this.#setup;
    if (!signal.aborted)
      line.schedule(
        () => clock.now(),
        (due) => this.#due(due),
      );
  }

  #due(line: JobLine): void {
    const group = this.#groups.get(line.group) ?? { due: [], running: 0 };
    this.#groups.set(line.group, group);
    group.due.push(line);
    this.#startNext(group);
  }

  #startNext(group: Group): void {
    const concurrency = this.#setup.options.concurrency ?? 1;
    while (group.running < concurrency && !this.#setup.signal.aborted) {
      const line = group.due.shift();
      const job = line?.jobs[0];
      if (line === undefined || job === undefined) return;
      group.running += 1;
      line.isRunning = true;
      const attempt = this.#attempts.run(job).then((next) => {
        this.#running.delete(attempt);
        group.running -= 1;
        line.isRunning = false;
        this.#after(line, next);
        this.#startNext(group);
        this.#notifyIdle();
      });
      this.#running.add(attempt);
    }
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
      this.#schedule(line);
    }
  }

  /** What was added during a failed attempt waits with it from now on. */
  #mergeFollowing(line: JobLine): void {
    const found = line.mergeFollowing(this.#setup.options);
    if (found === null) return;
    const { merged, second } = found;
    this.#loaded.set(merged.id, merged);
    this.#loaded.delete(second.id);
    void this.#attempts.absorb(merged, second);
  }

  #leave(line: JobLine, job: JobRecord): void {
    line.jobs.shift();
    this.#loaded.delete(job.id);
    this.#endedWhileLoading?.add(job.id);
    if (line.jobs.length > 0) this.#schedule(line);
    else this.#lines.delete(job.key);
    const max = this.#setup.maxLoaded ?? MAX_LOADED;
    if (this.#hasMoreInStore && this.#loading === null && this.#loaded.size <= max / 2) {
      const { queue, log } = this.#setup;
      this.load().catch((error: unknown) => {
        log.error("jobs.load_failed", { queue, error: messageOf(error) });
      });
    }
  }

  #notifyIdle(): void {
    if (!this.#isIdle) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
