import type { Request, Response } from "express";
import { hasBody } from "./body.js";

/** When a response is overdue, and what happens then. */
export interface OverdueOptions {
  /** Time after which a request without a response is reported, in ms. */
  readonly afterMs: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Receives the request, and since when its handler could respond (`performance.now()`). Called once for each. */
  report(req: Request, since: number): void;
}

/**
 * Reports requests whose handler does not respond: Express leaves them open. One timer waits for the oldest of
 * them, so that a request costs an entry in a map.
 */
export class OverdueResponses {
  /** Open requests by the time since which the handler could respond, oldest first. */
  readonly #open = new Map<Response, number>();
  readonly #options: OverdueOptions;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: OverdueOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** The handlers have a request. */
  add(res: Response): void {
    if (this.#options.signal.aborted) return;
    this.#open.set(res, performance.now());
    if (this.#timer === null) this.#wait(this.#options.afterMs);
    // A body has a time limit of its own; the handler has its time after that.
    if (hasBody(res.req)) res.req.once("end", () => this.#restart(res));
  }

  /** The response has ended, or the client has left. */
  delete(res: Response): void {
    this.#open.delete(res);
  }

  #restart(res: Response): void {
    if (this.#open.delete(res)) this.#open.set(res, performance.now());
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), Math.ceil(ms));
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = null;
    const now = performance.now();
    for (const [res, since] of this.#open) {
      const restMs = since + this.#options.afterMs - now;
      if (restMs > 0) return this.#wait(restMs);
      const { req } = res;
      if (!req.complete && req.readableDidRead) {
        this.#restart(res);
        continue;
      }
      this.#open.delete(res);
      // Streams have sent their headers.
      if (!res.headersSent) this.#options.report(req, since);
    }
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#open.clear();
  }
}
