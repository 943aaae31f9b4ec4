import { HttpError, WorkQueue, type SiteContext } from "#kernel";
import type { PageRequest } from "./contract.js";
import type { Soon } from "./soon.js";

/** Renders at once. They share one thread: more of them only take memory. */
const MAX_RENDERING = 4;
/** Renders that may wait, and for how long, in ms. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 5_000;

/** Bounds the renders of a site: a few at once, some waiting, 503 with `Retry-After` beyond. */
export class RenderQueue {
  readonly #queue: WorkQueue;
  readonly #rendering = new WeakSet<PageRequest>();

  constructor({ purpose }: Pick<SiteContext, "purpose">) {
    // An export has its own concurrency and no visitor who waits.
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
   * Runs `work` when a render may start. Renders inside another one of the same request run at once.
   * @throws HttpError 503 when too much waits; 499 when the client leaves before its turn.
   */
  run<T>(req: PageRequest, work: () => Soon<T>): Soon<T> {
    if (this.#rendering.has(req)) return work();
    const render = (): Soon<T> => this.#mark(req, work);
    if (this.#queue.isFree) return this.#queue.start(render);
    return this.#queue.run(render, leaveOf(req));
  }

  #mark<T>(req: PageRequest, work: () => Soon<T>): Soon<T> {
    const end = (): void => void this.#rendering.delete(req);
    this.#rendering.add(req);
    let result: Soon<T> | undefined;
    try {
      result = work();
      return result instanceof Promise ? result.finally(end) : result;
    } finally {
      if (!(result instanceof Promise)) end();
    }
  }
}

/** Fires when the client of a waiting request leaves. */
function leaveOf({ res }: PageRequest): AbortSignal {
  const leave = new AbortController();
  res?.once("close", () => leave.abort(new HttpError(499, "the client has left")));
  return leave.signal;
}
