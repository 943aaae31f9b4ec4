import type { JobLine } from "./job-line.js";

/** What groups work with. */
export interface GroupOptions {
  /** Attempts at a time, per group. */
  concurrency: number;
  /** Aborted when the site closes: nothing starts then. */
  signal: AbortSignal;
  /** Starts the first job of a line; null when it has none to run. */
  start(line: JobLine): Promise<void> | null;
  /** Called after each attempt, when the next one has started. */
  settled(): void;
}
interface Group {
  readonly due: JobLine[];
  running: number;
}

/** The groups of a queue: which lines are due, and how many run. */
export class JobGroups {
  readonly #options: GroupOptions;
  readonly #groups = new Map<string, Group>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  /** True when a line waits for its turn. */
  get isDue(): boolean {
    return [...this.#groups.values()].some(({ due }) => due.some(({ jobs }) => jobs.length > 0));
  }

  /** Starts a line, now or when there is room in its group. */
  add(line: JobLine): void {
    const group = this.#groups.get(line.group) ?? { due: [], running: 0 };
    this.#groups.set(line.group, group);
    group.due.push(line);
    this.#startNext(group);
  }

  /** Resolves when the attempts under way have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #startNext(group: Group): void {
    const { concurrency, signal, start, settled } = this.#options;
    while (group.running < concurrency && !signal.aborted) {
      const line = group.due.shift();
      if (line === undefined) return;
      const started = start(line);
      if (started === null) continue;
      const attempt = started.then(() => {
        this.#running.delete(attempt);
        group.running -= 1;
        this.#startNext(group);
        settled();
      });
      group.running += 1;
      this.#running.add(attempt);
    }
  }
}
