import { AsyncResource } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
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
  readonly #queue: PQueue;
  readonly #concurrency: number;
  readonly #limits: QueueLimits | null;

  constructor(limits: QueueLimits | Pick<QueueLimits, "concurrency">) {
    this.#concurrency = limits.concurrency;
    this.#limits = "busy" in limits ? limits : null;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  get running(): number {
    return this.#queue.pending;
  }

  /** True when the next job starts at once. */
  get isFree(): boolean {
    return this.running < this.#concurrency;
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
    if (this.#limits !== null && this.waiting >= this.#limits.length) {
      throw this.#limits.busy("full");
    }
    const wait = new Wait(this.#limits, leave);
    // Traces belong to the request, not to the job that ends before it.
    const start = AsyncResource.bind(async () => {
      wait.end();
      // In a later turn, so that requests are read in between.
      await nextTurn();
      return work();
    });
    return this.#queue.add(start, { signal: wait.signal });
  }
}

/** The time of a job in the queue. Its signal is aborted when the job leaves or has waited too long. */
class Wait {
  readonly #aborting = new AbortController();
  readonly #timer: NodeJS.Timeout | null;
  readonly #leave: AbortSignal | undefined;

  constructor(limits: QueueLimits | null, leave: AbortSignal | undefined) {
    this.#leave = leave;
    this.#timer = limits && setTimeout(() => this.#abort(limits.busy("slow")), limits.maxWaitMs);
    leave?.addEventListener("abort", this.#onLeave);
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** The job starts: from now on it cannot be aborted. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#leave?.removeEventListener("abort", this.#onLeave);
  }

  readonly #onLeave = (): void => this.#abort(this.#leave?.reason);

  #abort(reason: unknown): void {
    this.end();
    this.#aborting.abort(reason);
  }
}
