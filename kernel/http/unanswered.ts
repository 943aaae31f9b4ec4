import type { Response } from "express";
import type { Logger } from "../contracts.js";
import { HANDLER_LIMIT_MS } from "../hooks/hook-call.js";
import type { InternalContext } from "./response/internals.js";

/** Interval between two lines about one route, in ms. */
const QUIET_MS = 60_000;

/** What the watch of unanswered requests needs. */
export interface UnansweredOptions {
  readonly log: Logger;
  /** Aborted when the site closes. */
  readonly signal: AbortSignal;
  /** Time after which a request is reported, in ms. Default: 5,000, the limit of a handler of a hook. */
  readonly afterMs?: number | undefined;
}

/**
 * Reports requests whose handler does not respond, with plugin and route: Express leaves them open. One
 * timer looks at all of them, so that a request costs an entry in a set.
 */
export class UnansweredRequests {
  readonly #open = new Set<Response>();
  readonly #options: UnansweredOptions;
  readonly #afterMs: number;
  readonly #reportedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: UnansweredOptions) {
    this.#options = options;
    this.#afterMs = options.afterMs ?? HANDLER_LIMIT_MS;
    options.signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** The handlers have a request. */
  add(res: Response): void {
    this.#open.add(res);
    if (this.#timer !== null || this.#options.signal.aborted) return;
    this.#timer = setInterval(() => this.#look(), this.#afterMs / 2);
    this.#timer.unref();
  }

  /** The response has ended, or the client has left. */
  delete(res: Response): void {
    this.#open.delete(res);
  }

  #look(): void {
    const now = performance.now();
    for (const res of this.#open) {
      const { req } = res;
      if (now - req.ctx.startedAt < this.#afterMs) continue;
      // A body that is still on its way has a limit of its own; streams have sent their headers.
      if (!req.complete) continue;
      this.#open.delete(res);
      if (!res.headersSent) this.#report(req.ctx, req.method);
    }
  }

  #report(ctx: InternalContext, method: string): void {
    const now = performance.now();
    const { plugin = null, route = ctx.route } = ctx.handledBy ?? {};
    const key = `${method} ${route}`;
    if (now - (this.#reportedAt.get(key) ?? -Infinity) < QUIET_MS) return;
    this.#reportedAt.set(key, now);
    this.#options.log.warn("request.unanswered", {
      ...(plugin !== null && { plugin }),
      route: key,
      path: ctx.path,
      seconds: Math.round((now - ctx.startedAt) / 100) / 10,
      req: ctx.id,
      fix: "end each response, or pass the error to next; until then the request stays open",
    });
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#open.clear();
  }
}
