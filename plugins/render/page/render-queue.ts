import { HttpError, type SiteLifecycle } from "#kernel";
import { WorkQueue } from "#kernel/internal";
import type { PageRequest } from "../contract.js";

/** Maximum number of concurrent renders. They share one thread: more would only use memory. */
const MAX_RENDERING = 4;
/** Maximum number of waiting renders, and their timeout in ms. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 5_000;

/** Limits the renders of a site: a few run, some wait, further ones get 503 with `Retry-After`. */
export class RenderQueue {
  readonly #queue: WorkQueue;
  readonly #rendering = new WeakSet<PageRequest>();

  constructor({ purpose }: Pick<SiteLifecycle, "purpose">) {
    // An export limits its own concurrency, and no visitor waits for it.
    const concurrency = purpose === "export" ? Infinity : MAX_RENDERING;
    this.#queue = new WorkQueue({
      concurrency,
      length: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      busy: () =>
        new HttpError(503, "too many pages are being rendered, try again", {
          headers: { "Retry-After": "2" },
        }),
    });
  }

  /**
   * Runs `work` when a slot is free. Nested renders of the same request run at once.
   * @throws HttpError 503 when the queue is full; 499 when the client leaves before its turn.
   */
  async run<T>(req: PageRequest, work: () => Promise<T>): Promise<T> {
    if (this.#rendering.has(req)) return work();
    // Only a render that has to wait needs the signal.
    const leave = this.#queue.isFree ? undefined : leaveOf(req);
    return this.#queue.run(() => this.#mark(req, work), leave);
  }

  async #mark<T>(req: PageRequest, work: () => Promise<T>): Promise<T> {
    this.#rendering.add(req);
    try {
      return await work();
    } finally {
      this.#rendering.delete(req);
    }
  }
}

/** Fires when the client of a waiting request leaves. */
function leaveOf({ res }: PageRequest): AbortSignal {
  const leave = new AbortController();
  res?.once("close", () => {
    if (!res.writableFinished) leave.abort(new HttpError(499, "the client has left"));
  });
  return leave.signal;
}
