import {
  HttpError,
  type CacheEntry,
  type EdgeStep,
  type SiteContext,
  hasCredentials,
} from "#kernel";
import { onAnswered } from "#lib/http";
import type { CachedResponse, ResponseCache, SharedResponse } from "./response-cache.js";
import { isFresh, sendNotModified } from "./etag.js";
import { isRead, type ResponseKeys } from "./response-keys.js";

type Request = Parameters<EdgeStep>[0];
type Response = Parameters<EdgeStep>[1];

/** Maximum number of requests waiting for the responses of others. */
const MAX_WAITING = 4_000;

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
export function serveCached(
  site: SiteContext,
  responses: ResponseCache,
  keys: ResponseKeys,
): EdgeStep {
  let waiting = 0;
  return (req, res) => {
    // A step of the edge may have identified the visitor.
    if (!isRead(req) || hasCredentials(req) || req.ctx.state.viewer !== undefined) return false;
    const key = keys.toKey(req);
    const cached = key === null ? undefined : responses.peek(key);
    if (cached) return sendCached(site, cached, req, res);
    if (site.hooks.has("onCacheMiss")) site.hooks.notify("onCacheMiss", { key: key ?? req.url });
    if (key === null) {
      responses.countUncacheable();
      return false;
    }
    const missed: MissedRequest = { key, req, res };
    const joined = join(responses, missed);
    if (joined.isOwn) return false;
    if (waiting >= MAX_WAITING) {
      throw new HttpError(503, "too many requests wait, try again", {
        headers: { "Retry-After": "2" },
      });
    }
    waiting += 1;
    return sendShared(site, responses, missed, joined).finally(() => void (waiting -= 1));
  };
}

/** A request without a cached response. */
interface MissedRequest {
  /** Requests with the same key get the same response. */
  readonly key: string;
  readonly req: Request;
  readonly res: Response;
}
/** The place of a request among those with the same key. */
interface JoinedResponse {
  /** True for the first request: its handler makes the response. */
  readonly isOwn: boolean;
  /**
   * The response of the first request. Null: this request must be processed itself, at once or after the
   * first response turned out to be for its own client only.
   */
  readonly shared: Promise<SharedResponse>;
}

function join(responses: ResponseCache, { key, req, res }: MissedRequest): JoinedResponse {
  let isOwn = false;
  const shared = new Promise<SharedResponse>((resolve, reject) => {
    // Called at once for the first request; for a waiting one when the first response cannot be shared.
    const makeResponse = (entry: CacheEntry): Promise<SharedResponse> => {
      if (res.destroyed) throw new UnsharedResponseError(false);
      isOwn = true;
      resolve(null);
      const pending = new PendingResponse(entry, res);
      req.ctx.state.pendingResponse = pending;
      return pending.result;
    };
    responses.get(key, makeResponse).then(resolve, reject);
  });
  // The handler of the first request sends its error.
  shared.catch(() => undefined);
  return { isOwn, shared };
}

/**
 * Waits for the response of another request and sends it. Resolves with false when the request must be
 * processed itself.
 */
async function sendShared(
  site: SiteContext,
  responses: ResponseCache,
  missed: MissedRequest,
  first: JoinedResponse,
): Promise<boolean> {
  const { req, res } = missed;
  // Joins again when the client of the first request has left before its response.
  for (let joined = first; !joined.isOwn; joined = join(responses, missed)) {
    try {
      const response = await joined.shared;
      if (response === null) return false;
      return res.destroyed || sendCached(site, response, req, res);
    } catch (error) {
      if (!(error instanceof UnsharedResponseError)) throw error;
      if (res.destroyed) return true;
      if (error.isSent) return false;
    }
  }
  return false;
}

function sendCached(site: SiteContext, cached: CachedResponse, req: Request, res: Response): true {
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
