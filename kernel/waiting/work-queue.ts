import { setImmediate } from "node:timers/promises";
import PQueue from "p-queue";
import type { HttpError, SiteError } from "../errors.js";

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
  readonly #queue: PQueue;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  get running(): number {
    return this.#queue.pending;
  }

  /** True when the next job starts at once. */
  get isFree(): boolean {
    return this.running < this.#limits.concurrency;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Runs `work` in its turn. When `leave` is aborted before that, its slot is free at once.
   * @throws the error of `busy` when the queue is full or the wait too long; the reason of `leave`.
   */
  async run<T>(work: () => T | Promise<T>, leave?: AbortSignal): Promise<T> {
    leave?.throwIfAborted();
    if (this.isFree) return this.#queue.add(async () => work());
    const { length, maxWaitMs, busy } = this.#limits;
    if (this.waiting >= length) throw busy("full");
    const wait = new AbortController();
    const onLeave = (): void => wait.abort(leave?.reason);
    const timer = setTimeout(() => wait.abort(busy("slow")), maxWaitMs);
    leave?.addEventListener("abort", onLeave, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      leave?.removeEventListener("abort", onLeave);
    };
    const start = async (): Promise<T> => {
      end();
      // In a later turn, so that requests are read in between.
      await setImmediate();
      return work();
    };
    return this.#queue.add(start, { signal: wait.signal }).finally(end);
  }
}
