import type { Request, Response } from "express";
import { HttpError, type EdgeStep, type SiteContext, type CacheEntry } from "#kernel";
import { hasCredentials, onAnswered } from "#kernel/internal";
import type { CachedResponse } from "../cached-response.js";
import { isFresh, sendNotModified } from "../etag.js";
import type { ResponseCache, SharedResponse } from "../response-cache.js";
import type { ResponseKeys } from "../response-keys.js";
import { isRead } from "./request-kind.js";

/** Maximum number of requests waiting for the responses of others. */
const MAX_WAITING = 4_000;

/** The cache and its keys. */
export interface ResponseStore {
  readonly responses: ResponseCache;
  readonly keys: ResponseKeys;
}
interface RequestPair {
  readonly req: Request;
  readonly res: Response;
}

declare module "#kernel" {
  interface RequestState {
    /** Receives the response to this request, for which others may wait. */
    pendingResponse?: PendingResponse;
  }
}

/**
 * Serves cached responses before sessions, routes and rendering: the last step of the edge.
 * Concurrent requests for the same address wait for the first response.
 */
export function serveCached(site: SiteContext, { responses, keys }: ResponseStore): EdgeStep {
  const join = createJoin(site, responses);
  return (req, res) => {
    // A step of the edge may have identified the visitor.
    if (!isRead(req) || hasCredentials(req) || req.ctx.state.viewer !== undefined) return false;
    const key = keys.keyOf(req);
    const cached = key === null ? undefined : responses.peek(key);
    if (cached) return sendCached(site, cached, { req, res });
    if (site.hooks.has("onCacheMiss")) site.hooks.notify("onCacheMiss", { key: key ?? req.url });
    if (key !== null) return join(key, { req, res });
    responses.countUncacheable();
    return false;
  };
}

/** True when the request got the response of another one; false when it must run itself. */
function createJoin(site: SiteContext, responses: ResponseCache) {
  const waiting = { count: 0 };
  const join = (key: string, pair: RequestPair): false | Promise<boolean> => {
    const own = { isBegun: false, begin: (): void => undefined };
    const response = responses.get(key, (entry) => {
      if (pair.res.destroyed) throw new UnsharedResponseError(false);
      own.isBegun = true;
      own.begin();
      const pending = new PendingResponse(entry, pair.res);
      pair.req.ctx.state.pendingResponse = pending;
      return pending.result;
    });
    // The handler of the first request sends its error.
    response.catch(() => undefined);
    if (own.isBegun) return false;
    if (waiting.count >= MAX_WAITING) throw busy();
    waiting.count += 1;
    return new Promise<boolean>((resolve, reject) => {
      own.begin = () => resolve(false);
      const isAnswered = async (): Promise<boolean> => {
        try {
          const shared = await response;
          return own.isBegun ? false : answerWith(shared, pair);
        } catch (error) {
          return own.isBegun ? false : retry(error, key, pair);
        }
      };
      isAnswered().then(resolve, reject);
    }).finally(() => void (waiting.count -= 1));
  };
  const answerWith = (shared: CachedResponse | null, pair: RequestPair): boolean =>
    pair.res.destroyed || (shared !== null && sendCached(site, shared, pair));
  const retry = (error: unknown, key: string, pair: RequestPair): boolean | Promise<boolean> => {
    if (!(error instanceof UnsharedResponseError)) throw error;
    if (pair.res.destroyed) return true;
    return error.isSent ? false : join(key, pair);
  };
  return join;
}

function sendCached(site: SiteContext, cached: CachedResponse, { req, res }: RequestPair): true {
  if (site.hooks.has("onCacheHit")) site.hooks.notify("onCacheHit", { key: cached.key });
  cached.onCacheHit?.();
  req.ctx.state.responseTags = cached.tags;
  req.ctx.route = cached.route;
  const answer = cached.variant(req.headers["accept-encoding"], site.runtime.clock.now());
  if (isFresh(req.headers["if-none-match"], cached.etag))
    sendNotModified(res, answer.headers ?? {});
  else site.http.send(req, res, answer);
  return true;
}

function busy(): HttpError {
  return new HttpError(503, "too many requests wait, try again", {
    headers: { "Retry-After": "2" },
  });
}

/** Why a response cannot be shared with waiting requests. */
class UnsharedResponseError extends Error {
  /** False when the client left before its response, so another request must be processed. */
  readonly isSent: boolean;

  constructor(isSent: boolean) {
    super(isSent ? "the response failed" : "the client has left");
    this.isSent = isSent;
  }
}

/** The response of a request that others may wait for. */
class PendingResponse {
  readonly result: Promise<SharedResponse>;
  readonly #entry: CacheEntry;
  #resolve: ((response: SharedResponse) => void) | null = null;
  #reject: (reason: Error) => void = () => undefined;

  constructor(entry: CacheEntry, res: Response) {
    this.#entry = entry;
    this.result = new Promise<SharedResponse>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    onAnswered(res, () => this.#end(res));
  }

  /** Passes the response to the cache and to waiting requests. `until`: Unix ms. */
  store(response: CachedResponse, until: number | null): void {
    this.#entry.key = response.key;
    this.#entry.until = until;
    for (const tag of response.tags) this.#entry.tags.add(tag);
    this.#resolve?.(response);
    this.#resolve = null;
  }

  /** Do not mark errors as uncacheable: the next response may be cached. */
  #end({ headersSent, statusCode }: Response): void {
    if (this.#resolve === null) return;
    if (!headersSent || statusCode >= 500) {
      this.#reject(new UnsharedResponseError(headersSent));
      return;
    }
    this.#entry.private = true;
    this.#resolve(null);
  }
}
