import type { HttpError, SiteError } from "./errors.js";

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
interface Waiting {
  start(): void;
}

/** Runs a few jobs at a time, queues some, rejects the rest. */
export class WorkQueue {
  readonly #limits: QueueLimits;
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  /** Slots reserved for waiting jobs in the next turn. */
  #promised = 0;

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
    return this.#waiting.size;
  }

  /**
   * Runs `work` in its turn. When `leave` is aborted before that, its slot is free at once.
   * @throws the error of `busy` when the queue is full or the wait too long; the reason of `leave`.
   */
  async run<T>(work: () => T | Promise<T>, leave?: AbortSignal): Promise<T> {
    leave?.throwIfAborted();
    if (!this.isFree) await this.#turn(leave);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Passes the slot to the oldest waiting job, in a later turn: requests are read in between. */
  #release(): void {
    if (this.#waiting.size <= this.#promised) {
      this.#running -= 1;
      return;
    }
    this.#promised += 1;
    setImmediate(() => this.#startNext());
  }

  #startNext(): void {
    this.#promised -= 1;
    const [first] = this.#waiting;
    if (first === undefined) this.#running -= 1;
    else first.start();
  }

  #turn(leave: AbortSignal | undefined): Promise<void> {
    const { length, maxWaitMs, busy } = this.#limits;
    if (this.#waiting.size >= length) throw busy("full");
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(place);
        clearTimeout(timer);
        leave?.removeEventListener("abort", onLeave);
      };
      const place: Waiting = {
        start: () => {
          end();
          resolve();
        },
      };
      const onLeave = (): void => {
        end();
        reject(leave?.reason);
      };
      const timer = setTimeout(() => {
        end();
        reject(busy("slow"));
      }, maxWaitMs);
      leave?.addEventListener("abort", onLeave, { once: true });
      this.#waiting.add(place);
    });
  }
}
