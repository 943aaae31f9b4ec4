import type { Clock } from "#kernel";
import type { EngineQueue, JobRecord } from "./contract.js";

/** Longest time that a Node.js timer can wait, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Jobs of one key: the first runs, or waits for its time or for its turn; the others wait for it. */
interface Line {
  readonly key: string;
  readonly group: string;
  readonly jobs: JobRecord[];
  /** True during an attempt of the first job. */
  isRunning: boolean;
  /** Set while the first job waits for its time. */
  timer: NodeJS.Timeout | null;
}

/** Lines whose first job may run now, oldest first, and the number of attempts under way. */
interface Group {
  readonly due: Line[];
  running: number;
}

/** Starts the jobs of a queue, and is called when they leave the lines. */
export interface JobLinesOptions {
  readonly queue: EngineQueue;
  readonly clock: Clock;
  /** Aborted when the site closes: no job starts then. */
  readonly signal: AbortSignal;
  /** False for a stored job once another process is the owner: it leaves the lines. */
  mayRun(job: JobRecord): boolean;
  /** Makes an attempt; resolves with the job as it waits for the next one, or with null when it has ended. */
  attempt(job: JobRecord): Promise<JobRecord | null>;
  /** Called when a job has ended and is no longer here. */
  left(job: JobRecord): void;
  /** Called after each attempt, when the next job has started. */
  afterAttempt(): void;
  /** Called when `second` became a part of `merged`, the job before it. */
  absorb(merged: JobRecord, second: JobRecord): void;
}

/**
 * The jobs of a queue in memory, and which one starts next: one after the other per key, a bounded number at
 * a time per group.
 */
export class JobLines {
  readonly #setup: JobLinesOptions;
  readonly #ids = new Set<string>();
  readonly #lines = new Map<string, Line>();
  readonly #groups = new Map<string, Group>();
  readonly #attempts = new Set<Promise<void>>();

  constructor(setup: JobLinesOptions) {
    this.#setup = setup;
  }

  /** Number of jobs, running ones included. */
  get size(): number {
    return this.#ids.size;
  }

  /** Number of attempts under way. */
  get running(): number {
    return this.#attempts.size;
  }

  /** True when a job waits only for its turn in its group. */
  get isDue(): boolean {
    return [...this.#groups.values()].some(({ due }) => due.some(({ jobs }) => jobs.length > 0));
  }

  /** True for a job that waits or runs here. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** True when the next job of a key should have started before `before` (Unix ms). */
  isOverdue(before: number): boolean {
    return [...this.#lines.values()].some(({ jobs, isRunning }) => {
      const next = jobs[isRunning ? 1 : 0];
      return next !== undefined && next.runAt < before;
    });
  }

  /** Adds a job behind those of its key; it starts when they have ended and its time has come. */
  add(job: JobRecord): void {
    const { key, group } = job;
    const line = this.#lines.get(key) ?? { key, group, jobs: [], isRunning: false, timer: null };
    this.#lines.set(key, line);
    this.#ids.add(job.id);
    line.jobs.push(job);
    if (line.jobs.length === 1) this.#schedule(line);
  }

  /** Merges a new job into the last one of its key, unless that runs; null when it stays a job of its own. */
  merge(added: JobRecord): JobRecord | null {
    const line = this.#lines.get(added.key);
    const last = line?.jobs.at(-1);
    if (line === undefined || last === undefined) return null;
    if (line.isRunning && line.jobs.length === 1) return null;
    const merged = this.#setup.queue.merge(last, added);
    if (merged === null) return null;
    line.jobs[line.jobs.length - 1] = merged;
    // The merged job may start sooner.
    if (stopTimer(line)) this.#schedule(line);
    return merged;
  }

  /** Starts jobs that wait for their time, also those between two attempts. */
  hurry(): void {
    for (const line of this.#lines.values()) if (stopTimer(line)) this.#startInTurn(line);
  }

  /** Removes the jobs that this process may no longer run; attempts under way end here. */
  handOver(): void {
    for (const line of this.#lines.values()) this.#removeForeign(line);
  }

  /** Stops all timers. */
  stop(): void {
    for (const line of this.#lines.values()) stopTimer(line);
  }

  /** Resolves when the attempts under way have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#attempts);
  }

  /** Starts the first job of a line: now, or when its time comes. */
  #schedule(line: Line): void {
    const [job] = line.jobs;
    if (job === undefined || this.#setup.signal.aborted) return;
    const since = job.startedAt ?? job.createdAt;
    // A clock that was set back does not prolong the wait.
    const waitMs = Math.min(job.runAt - this.#setup.clock.now(), job.runAt - since);
    if (waitMs <= 0) {
      this.#startInTurn(line);
      return;
    }
    line.timer = setTimeout(
      () => {
        line.timer = null;
        if (waitMs > MAX_TIMER_MS) this.#schedule(line);
        else this.#startInTurn(line);
      },
      Math.min(waitMs, MAX_TIMER_MS),
    );
    line.timer.unref();
  }

  /** Starts the first job of a line: now, or when its group has room. */
  #startInTurn(line: Line): void {
    const group = this.#groups.get(line.group) ?? { due: [], running: 0 };
    this.#groups.set(line.group, group);
    group.due.push(line);
    this.#fill(group);
  }

  /** Starts due jobs of a group while it has room. */
  #fill(group: Group): void {
    const { queue, signal, mayRun, afterAttempt } = this.#setup;
    while (group.running < queue.concurrency && !signal.aborted) {
      const line = group.due.shift();
      if (line === undefined) return;
      const [job] = line.jobs;
      // Its jobs have left for another process.
      if (job === undefined) continue;
      if (!mayRun(job)) {
        if (this.#removeForeign(line)) this.#schedule(line);
        continue;
      }
      const attempt = this.#attempt(line, job).then(() => {
        this.#attempts.delete(attempt);
        group.running -= 1;
        this.#fill(group);
        afterAttempt();
      });
      group.running += 1;
      this.#attempts.add(attempt);
    }
  }

  /** One attempt of the first job of a line; then the line waits again, or goes on to its next job. */
  async #attempt(line: Line, job: JobRecord): Promise<void> {
    line.isRunning = true;
    const next = await this.#setup.attempt(job);
    line.isRunning = false;
    if (next !== null) {
      line.jobs[0] = next;
      this.#mergeFollowing(line, next);
      if (this.#setup.mayRun(next) || this.#removeForeign(line)) this.#schedule(line);
      return;
    }
    line.jobs.shift();
    this.#ids.delete(job.id);
    this.#setup.left(job);
    if (line.jobs.length > 0) this.#schedule(line);
    else this.#close(line);
  }

  /** After a failed attempt, a job that was added meanwhile waits with the one that failed. */
  #mergeFollowing(line: Line, failed: JobRecord): void {
    const [, second] = line.jobs;
    const merged = second && this.#setup.queue.merge(failed, second);
    if (second === undefined || !merged) return;
    line.jobs.splice(0, 2, merged);
    this.#ids.delete(second.id);
    this.#setup.absorb(merged, second);
  }

  /** Leaves the jobs of a line to their owner, but not a running one. Returns true when jobs are left. */
  #removeForeign(line: Line): boolean {
    const hadTimer = stopTimer(line);
    for (const job of line.jobs.splice(line.isRunning ? 1 : 0)) {
      if (this.#setup.mayRun(job)) line.jobs.push(job);
      else this.#ids.delete(job.id);
    }
    if (line.jobs.length === 0) {
      this.#close(line);
      return false;
    }
    if (hadTimer) this.#schedule(line);
    return true;
  }

  #close(line: Line): void {
    if (this.#lines.get(line.key) === line) this.#lines.delete(line.key);
  }
}

/** Returns false when the line did not wait for its time. */
function stopTimer(line: Line): boolean {
  if (line.timer === null) return false;
  clearTimeout(line.timer);
  line.timer = null;
  return true;
}
