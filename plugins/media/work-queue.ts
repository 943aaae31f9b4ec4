import { SiteError } from "#kernel";

/** Bounds of a queue. */
export interface QueueLimits {
  /** Jobs at work at once. */
  concurrency: number;
  /** Jobs that may wait. */
  length: number;
  /** How long a job may wait, in ms. */
  maxWaitMs: number;
}
interface Waiting {
  start(): void;
}

/** Runs a few jobs at a time, lets some wait, refuses the rest. */
export class WorkQueue {
  readonly #limits: QueueLimits;
  readonly #waiting = new Set<Waiting>();
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
    return this.#waiting.size;
  }

  /**
   * Runs `work` when its turn comes. When `leave` fires before that, its place is free at once.
   * @throws ERR_MEDIA_BUSY (503) when the queue is full or the wait too long; the reason of `leave`.
   */
  async run<T>(work: () => Promise<T>, leave: AbortSignal): Promise<T> {
    leave.throwIfAborted();
    if (this.#running < this.#limits.concurrency) this.#running += 1;
    else await this.#turn(leave);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** A finished job's place goes to the one that has waited longest. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) this.#running -= 1;
    else first.start();
  }

  #turn(leave: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#limits.length) throw busy("too many images are waiting");
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(place);
        clearTimeout(timer);
        leave.removeEventListener("abort", gone);
      };
      const place: Waiting = {
        start: () => {
          end();
          resolve();
        },
      };
      const gone = (): void => {
        end();
        reject(leave.reason);
      };
      const timer = setTimeout(() => {
        end();
        reject(busy("the image waited too long"));
      }, this.#limits.maxWaitMs);
      leave.addEventListener("abort", gone, { once: true });
      this.#waiting.add(place);
    });
  }
}

function busy(message: string): SiteError {
  return new SiteError("ERR_MEDIA_BUSY", message, { status: 503, headers: { "Retry-After": "2" } });
}
