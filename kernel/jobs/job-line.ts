import type { JobQueueOptions, JobRecord } from "../contracts.js";
import { mergeJobs } from "./job-records.js";

/** Longest time that a Node.js timer can wait, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Jobs of one key: the first runs or waits for its time, the others wait for it. */
export class JobLine {
  readonly key: string;
  readonly group: string;
  readonly jobs: JobRecord[] = [];
  /** True during an attempt of the first job. */
  isRunning = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(key: string, group: string) {
    this.key = key;
    this.group = group;
  }

  /** Merges a new job into the last one, unless that runs; null when it stays a job of its own. */
  mergeLast<P>(options: JobQueueOptions<P>, added: JobRecord): JobRecord | null {
    const last = this.jobs.at(-1);
    if (last === undefined || (this.isRunning && this.jobs.length === 1)) return null;
    const merged = mergeJobs(options, last, added);
    if (merged !== null) this.jobs[this.jobs.length - 1] = merged;
    return merged;
  }

  /** Merges the second job into the first one; null when they stay separate. */
  mergeFollowing<P>(options: JobQueueOptions<P>): { merged: JobRecord; second: JobRecord } | null {
    const [first, second] = this.jobs;
    if (first === undefined || second === undefined) return null;
    const merged = mergeJobs(options, first, second);
    if (merged === null) return null;
    this.jobs.splice(0, 2, merged);
    return { merged, second };
  }

  /** Calls `due` when the time of the first job has come. */
  schedule(now: () => number, due: (line: JobLine) => void): void {
    const [job] = this.jobs;
    if (job === undefined) return;
    const since = job.startedAt ?? job.createdAt;
    // A clock that was set back does not prolong the wait.
    const waitMs = Math.min(job.runAt - now(), job.runAt - since);
    if (waitMs <= 0) {
      due(this);
      return;
    }
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        if (waitMs > MAX_TIMER_MS) this.schedule(now, due);
        else due(this);
      },
      Math.min(waitMs, MAX_TIMER_MS),
    );
    this.#timer.unref();
  }

  /** False when the line did not wait for its time. */
  stopTimer(): boolean {
    if (this.#timer === null) return false;
    clearTimeout(this.#timer);
    this.#timer = null;
    return true;
  }
}

/** The lines of a queue, by key. */
export class JobLines {
  readonly #lines = new Map<string, JobLine>();

  get all(): readonly JobLine[] {
    return [...this.#lines.values()];
  }

  get(key: string): JobLine | undefined {
    return this.#lines.get(key);
  }

  /** The line for a job; new when its key has none. */
  open({ key, group }: JobRecord): JobLine {
    const line = this.#lines.get(key) ?? new JobLine(key, group);
    this.#lines.set(key, line);
    return line;
  }

  /** True when the next job of a line should have started before `before` (Unix ms). */
  isOverdue(before: number): boolean {
    return this.all.some(({ jobs, isRunning }) => {
      const next = jobs[isRunning ? 1 : 0];
      return next !== undefined && next.runAt < before;
    });
  }

  close(line: JobLine): void {
    if (this.#lines.get(line.key) === line) this.#lines.delete(line.key);
  }
}
