import type { HttpError, SiteError } from "#lib/errors";

/** Limits of a queue. */
export interface QueueLimits {
  /** Maximum number of concurrent jobs. */
  concurrency: number;
  /** Maximum number of waiting jobs. */
  length: number;
  /** Maximum waiting time of a job, in ms. */
  maxWaitMs: number;
  /** The error of a job that finds the queue full, or has waited too long. */
  busy(reason: "full" | "slow"): HttpError | SiteError;
}

/** Runs a few jobs at a time, queues some, rejects the rest. */
export class WorkQueue {
  readonly #limits: QueueLimits;
  /** Starts the waiting jobs, in the order of their arrival. */
  readonly #starts = new Set<() => void>();
  #running = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  /** True when the next job starts at once. */
  get isFree(): boolean {
    return this.#running < this.#limits.concurrency;
  }

  get waiting(): number {
    return this.#starts.size;
  }

  /**
   * Runs `work` in its turn. When `leave` is aborted before that, its slot is free at once.
   * @throws the error of `busy` when the queue is full or the wait too long; the reason of `leave`.
   */
  async run<T>(work: () => T | Promise<T>, leave?: AbortSignal): Promise<T> {
    leave?.throwIfAborted();
    if (this.isFree) this.#running += 1;
    else await this.#turn(leave);
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  /** Waits until a job that ends passes its slot on. */
  #turn(leave?: AbortSignal): Promise<void> {
    const { length, maxWaitMs, busy } = this.#limits;
    if (this.waiting >= length) throw busy("full");
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        leave?.removeEventListener("abort", onLeave);
        this.#starts.delete(start);
      };
      const start = (): void => {
        end();
        // In a later turn, so that requests are read in between.
        setImmediate(resolve);
      };
      const refuse = (reason: unknown): void => {
        end();
        reject(reason);
      };
      const onLeave = (): void => refuse(leave?.reason);
      const timer = setTimeout(() => refuse(busy("slow")), maxWaitMs);
      leave?.addEventListener("abort", onLeave, { once: true });
      this.#starts.add(start);
    });
  }

  #startNext(): void {
    const [start] = this.#starts;
    if (start === undefined) this.#running -= 1;
    else start();
  }
}
