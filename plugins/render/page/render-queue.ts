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
    return this.#queue.run(() => this.#mark(req, work));
  }

  async #mark<T>(req: PageRequest, work: () => Promise<T>): Promise<T> {
    // Looked at in its turn: a signal for each waiting render takes 7 % of the CPU time of a page.
    if (req.res?.destroyed) throw new HttpError(499, "the client has left");
    this.#rendering.add(req);
    try {
      return await work();
    } finally {
      this.#rendering.delete(req);
    }
  }
}
