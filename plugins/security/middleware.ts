import type { IncomingMessage } from "node:http";
import cors from "cors";
import type { Request } from "express";
import {
  rateLimit,
  type IncrementResponse,
  type RateLimitInfo,
  type Store,
} from "express-rate-limit";
import { type EdgeStep, HttpError, type SiteContext, type SiteSettings } from "#kernel";
import { canParseUrl } from "#lib/urls";
import type { CspDirectives } from "./csp-policy.js";
import { headerBlock } from "./header-block.js";
import { clientKey, isLimitedPath, type RateLimiter } from "./rate-limit.js";

/**
 * Removes `x-site-user`, sets security and CORS headers, responds to preflights, counts API
 * requests.
 */
export function protectStep(
  site: SiteContext,
  limiter: RateLimiter,
  policy: () => CspDirectives,
): EdgeStep {
  const { rate_limit: limit } = site.settings.system.server;
  const limiting = limit === false ? null : apiLimit(limiter, limit);
  let blocks: HeaderBlocks | undefined;
  return (req, res) => {
    // On the first request all plugins are set up.
    const { plain, byOrigin } = (blocks ??= headerBlocks(site, policy()));
    stripUserHeader(req);
    const { ctx } = req;
    if (!isCorsPath(ctx.path)) {
      ctx.responseHeaders = plain;
      return false;
    }
    const { read, preflight } = byOrigin.for(req.headers.origin);
    ctx.responseHeaders = read;
    if (req.method === "OPTIONS") {
      res.writeHead(204, preflight);
      res.end();
      return true;
    }
    return limiting !== null && isLimitedPath(ctx.path) ? limiting(req, res) : false;
  };
}

interface HeaderBlocks {
  readonly plain: HeaderBlock;
  readonly byOrigin: CorsHeaders;
}

function headerBlocks(site: SiteContext, directives: CspDirectives): HeaderBlocks {
  const plain = headerBlock(directives, isHttps(site));
  return { plain, byOrigin: new CorsHeaders(plain, allowedOrigins(site.settings.site)) };
}

function isHttps(site: SiteContext): boolean {
  return site.runtime.env.mode === "production" && site.settings.site.url.startsWith("https:");
}

/** Paths readable by other origins: the public read API and its descriptions. */
const PREFIXES = ["/api/", "/_site/"];
/** Called by servers, never by browsers. */
const NOT_READ = "/api/webhook/";

/** Origins that may read the API: first that of `site.url`, then `cors_origins`. */
function allowedOrigins(site: SiteSettings): readonly string[] {
  return [site.url, ...site.cors_origins].flatMap((url) =>
    canParseUrl(url) ? [new URL(url).origin] : [],
  );
}

/** True for a path that allowed origins may read. */
function isCorsPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix)) && !path.startsWith(NOT_READ);
}

type HeaderBlock = Readonly<Record<string, string>>;

/** The headers of responses to one origin. */
interface OriginHeaders {
  /** The headers of every response, with those of CORS. */
  readonly read: HeaderBlock;
  /** Additional headers of a preflight. */
  readonly preflight: HeaderBlock;
}

const EXPOSED = "ETag, Link, Retry-After, X-Next-Cursor, X-Total-Count";

/**
 * The headers of the package `cors` by origin, computed once: it runs against a recorder, because the response
 * cache needs `Vary` before a response is written.
 */
class CorsHeaders {
  readonly #byOrigin: ReadonlyMap<string, OriginHeaders>;
  readonly #foreign: OriginHeaders;
  readonly #own: OriginHeaders;

  constructor(plain: HeaderBlock, origins: readonly string[]) {
    const headersFor = (origin: string, exposedHeaders: string): OriginHeaders => {
      const step = cors({
        origin: [...origins],
        methods: "GET, HEAD, OPTIONS",
        allowedHeaders: "Authorization, Content-Type, If-None-Match",
        exposedHeaders,
        maxAge: 600,
        preflightContinue: true,
      });
      return {
        read: { ...plain, ...recordHeaders(step, { method: "GET", headers: { origin } }) },
        preflight: recordHeaders(step, { method: "OPTIONS", headers: { origin } }),
      };
    };
    this.#byOrigin = new Map(origins.map((origin) => [origin, headersFor(origin, EXPOSED)]));
    this.#foreign = headersFor("null", "");
    const [first = this.#foreign] = this.#byOrigin.values();
    this.#own = first;
  }

  /** The headers for a request with this `Origin`; without one those for the site's own. */
  for(origin: string | undefined): OriginHeaders {
    return origin === undefined ? this.#own : (this.#byOrigin.get(origin) ?? this.#foreign);
  }
}

/** The headers that `cors` sets in response to a request. */
function recordHeaders(step: ReturnType<typeof cors>, req: cors.CorsRequest): HeaderBlock {
  const headers: Record<string, string> = {};
  const recorder = {
    getHeader: (name: string) => headers[name],
    setHeader: (name: string, value: string) => void (headers[name] = value),
    end: () => undefined,
  };
  step(req, recorder, () => undefined);
  return headers;
}

const WINDOW_MS = 60_000;

/** The counts of a limiter as a store of express-rate-limit. */
class LimiterStore implements Store {
  readonly #limiter: RateLimiter;
  readonly #limit: number;

  constructor(limiter: RateLimiter, limit: number) {
    this.#limiter = limiter;
    this.#limit = limit;
  }

  /** The engine decides and tells no count: one on the right side of the limit stands for it. */
  async increment(key: string): Promise<IncrementResponse> {
    const verdict = await this.#limiter.take(key, this.#limit, WINDOW_MS);
    const resetTime = new Date(Date.now() + verdict.retryAfterSeconds * 1_000);
    return { totalHits: verdict.allowed ? 1 : this.#limit + 1, resetTime };
  }

  // Called for skipped requests and by `resetKey` of the middleware: this site has neither.
  decrement(): void {}
  resetKey(): void {}
}

/** A request that express-rate-limit has counted. */
type LimitedRequest = Pick<Request, "ctx"> & { readonly rateLimit?: RateLimitInfo };

/**
 * Counts a request of the API for its client; `limit` is per minute.
 * @throws HttpError 429 with `Retry-After`.
 */
function apiLimit(limiter: RateLimiter, limit: number): EdgeStep {
  const limiting = rateLimit({
    windowMs: WINDOW_MS,
    limit,
    store: new LimiterStore(limiter, limit),
    keyGenerator: (req) => `api:${clientKey(req.ctx.ip)}`,
    handler: (req: LimitedRequest) => {
      const waitMs = (req.rateLimit?.resetTime?.getTime() ?? 0) - Date.now();
      const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
      const headers = { "Retry-After": String(seconds) };
      throw new HttpError(429, "Too many requests", { headers });
    },
    legacyHeaders: false,
    standardHeaders: false,
    validate: false,
  });
  return (req, res) =>
    new Promise((resolve, reject) => {
      const next = (error?: unknown): void =>
        error === undefined ? resolve(false) : reject(error);
      void limiting(req, res, next);
    });
}

/** Any spelling that a layer behind us could read as the internal header. */
const USER_HEADER = /^x[-_]site[-_]user$/i;

/** Removes `x-site-user` from a request, in `headers` and `rawHeaders`. */
function stripUserHeader(req: IncomingMessage): void {
  const { rawHeaders } = req;
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = rawHeaders[at] ?? "";
    // Nearly every request runs this: check the length before the pattern.
    if (name.length !== 11 || !USER_HEADER.test(name)) continue;
    rawHeaders.splice(at, 2);
    delete req.headers[name.toLowerCase()];
  }
}
