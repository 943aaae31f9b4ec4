import PQueue from "p-queue";
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

/** Runs a few jobs at a time, queues some, rejects the rest; with `concurrency` alone, all others wait. */
export class WorkQueue {
  /** Its jobs hold the slots: each ends when the work that it let start has ended. */
  readonly #slots: PQueue;
  readonly #concurrency: number;
  readonly #limits: QueueLimits | null;
  #waiting = 0;

  constructor(limits: QueueLimits | Pick<QueueLimits, "concurrency">) {
    this.#concurrency = limits.concurrency;
    this.#limits = "busy" in limits ? limits : null;
    this.#slots = new PQueue({ concurrency: limits.concurrency });
  }

  get running(): number {
    return this.#slots.pending;
  }

  /** True when the next job starts at once. */
  get isFree(): boolean {
    return this.running < this.#concurrency;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` in its turn. When `leave` is aborted before that, its place is free at once.
   * @throws the error of `busy` when the queue is full or the wait too long; the reason of `leave`.
   */
  async run<T>(work: () => T | Promise<T>, leave?: AbortSignal): Promise<T> {
    leave?.throwIfAborted();
    if (this.isFree) return this.#slots.add(async () => work());
    if (this.#limits !== null && this.waiting >= this.#limits.length) {
      throw this.#limits.busy("full");
    }
    // Awaited here, so that traces belong to the request, not to the job that ends before it.
    const giveBack = await this.#slot(leave);
    try {
      return await work();
    } finally {
      await giveBack();
    }
  }

  /** Waits for a slot. @returns the function that gives it back. */
  #slot(leave: AbortSignal | undefined): Promise<() => Promise<void>> {
    const limits = this.#limits;
    return new Promise((resolve, reject) => {
      // A signal costs more than the rest of the queue: only those that may leave have one. A job that
      // has waited too long ends when its turn comes.
      const leaving = leave && new AbortController();
      const onLeave = (): void => refuse(leave?.reason);
      const end = (): void => {
        this.#waiting -= 1;
        if (timer !== null) clearTimeout(timer);
        leave?.removeEventListener("abort", onLeave);
      };
      let isOver = false;
      const refuse = (reason: unknown): void => {
        isOver = true;
        end();
        reject(reason);
        leaving?.abort();
      };
      this.#waiting += 1;
      const timer = limits && setTimeout(() => refuse(limits.busy("slow")), limits.maxWaitMs);
      leave?.addEventListener("abort", onLeave, { once: true });
      const hold = async (): Promise<void> => {
        if (isOver) return;
        end();
        await new Promise<void>((release) => {
          const giveBack = (): Promise<void> => {
            release();
            return held;
          };
          // In a later turn, so that requests are read in between.
          setImmediate(resolve, giveBack);
        });
      };
      const held = this.#slots.add(hold, leaving ? { signal: leaving.signal } : {});
      held.catch(reject);
    });
  }
}
