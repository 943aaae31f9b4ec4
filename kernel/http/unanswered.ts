import { OverdueResponses } from "#lib/http";
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

/** Logs requests whose handler does not respond, with plugin and route. */
export function watchUnanswered(options: UnansweredOptions): OverdueResponses {
  const { log, signal, afterMs = HANDLER_LIMIT_MS } = options;
  const reportedAt = new Map<string, number>();
  return new OverdueResponses({
    afterMs,
    signal,
    report({ ctx, method }, since) {
      const now = performance.now();
      const { handledBy }: RequestContext = ctx;
      const { plugin = null, route = ctx.route } = handledBy ?? {};
      const key = `${method} ${route}`;
      if (now - (reportedAt.get(key) ?? -Infinity) < QUIET_MS) return;
      reportedAt.set(key, now);
      // The handler may wait for an engine of another plugin, which is to blame then.
      const [engine] = options.awaitedSince?.(since) ?? [];
      log.warn("request.unanswered", {
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
    },
  });
}
