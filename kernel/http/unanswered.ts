import { hasBody } from "#lib/http";
import type { Request, Response } from "express";
import type { Logger, RequestContext } from "../contracts.js";
import type { EngineMember } from "../errors.js";
import { HANDLER_LIMIT_MS } from "../hooks/hook-call.js";

/** Interval between two lines about one route, in ms. */
const QUIET_MS = 60_000;

/** Options of the watch of unanswered requests. */
export interface UnansweredOptions {
  readonly log: Logger;
  /** Aborted when the site closes. */
  readonly signal: AbortSignal;
  /** Time after which a request is reported, in ms. Default: 5,000, the limit of a handler of a hook. */
  readonly afterMs?: number | undefined;
  /** Calls of engines that began at this moment (`performance.now()`) or later and have not answered. */
  awaitedSince?(moment: number): readonly EngineMember[];
}

/**
 * Reports requests whose handler does not respond, with plugin and route: Express leaves them open. One
 * timer waits for the oldest of them, so that a request costs an entry in a map.
 */
export class UnansweredRequests {
  /** Open requests by the time since which the handler could respond, oldest first. */
  readonly #open = new Map<Response, number>();
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
    if (this.#options.signal.aborted) return;
    this.#open.set(res, performance.now());
    if (this.#timer === null) this.#wait(this.#afterMs);
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
      const restMs = since + this.#afterMs - now;
      if (restMs > 0) return this.#wait(restMs);
      const { req } = res;
      if (!req.complete && req.readableDidRead) {
        this.#restart(res);
        continue;
      }
      this.#open.delete(res);
      // Streams have sent their headers.
      if (!res.headersSent) this.#report(req, since);
    }
  }

  #report({ ctx, method }: Request, since: number): void {
    const now = performance.now();
    const { handledBy }: RequestContext = ctx;
    const { plugin = null, route = ctx.route } = handledBy ?? {};
    const key = `${method} ${route}`;
    if (now - (this.#reportedAt.get(key) ?? -Infinity) < QUIET_MS) return;
    this.#reportedAt.set(key, now);
    // The handler may wait for an engine of another plugin, which is to blame then.
    const [engine] = this.#options.awaitedSince?.(since) ?? [];
    this.#options.log.warn("request.unanswered", {
      ...(plugin !== null && { plugin }),
      route: key,
      path: ctx.path,
      seconds: Math.round((now - since) / 100) / 10,
      req: ctx.id,
      ...engine,
      fix:
        engine === undefined
          ? "end each response, or pass the error to next; until then the request stays open"
          : `correct plugin "${engine.enginePlugin}": \`${engine.member}\` of its engine has not answered; until then the request stays open`,
    });
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#open.clear();
  }
}
