/** Protection as other plugins see it: the rate-limit slot and the CSP. */

/** The decision on one request. */
export interface RateVerdict {
  allowed: boolean;
  /** Whole seconds until a request is allowed again, at least 1. */
  retryAfterSeconds: number;
}
/** Counts requests per key and length of the window, and withdraws them. */
export interface RateLimitEngine {
  /**
   * Counts one request of `key` if fewer than `limit` were counted in its window of `windowMs`, which the first
   * request opens; may return synchronously.
   */
  take(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict>;
  /**
   * Withdraws the last `count` requests of `key` (default: 1; `Infinity`: all). Without this method,
   * attempts that may be withdrawn, such as logins, are counted in memory.
   */
  release?(key: string, windowMs: number, count?: number): void | Promise<void>;
  /** Releases resources at shutdown. */
  close?(): Promise<void>;
}
/** Counts attempts that are withdrawn when they succeed, such as logins. */
export type AttemptLimit = Required<Pick<RateLimitEngine, "take" | "release">>;
/**
 * Protection for use by other plugins.
 *
 * @example
 * const security = site.use("security");
 * site.http.use("routes", async (req, res, next) => {
 *   if (req.ctx.path !== "/vote") return next();
 *   const { allowed } = await security.limit(`vote:${security.clientKey(req.ctx.ip)}`, 10, 60_000);
 *   return allowed ? next() : res.sendStatus(429);
 * });
 */
export interface SecurityService {
  /** The key of a client address: the IPv4 address, or the /64 of an IPv6 address. */
  clientKey(ip: string): string;
  /** Counts in the active engine; falls back to memory when it fails. */
  limit(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict>;
  /** Counts like `limit`; in memory when the active engine has no `release`. */
  readonly attempts: AttemptLimit;
  /** True when the request comes from a page of this site (Origin, else Sec-Fetch-Site). */
  isSameOrigin(headers: Readonly<Record<string, string | string[] | undefined>>): boolean;
  /**
   * True when the browser reports that another site started the request. Reject requests with side
   * effects for the owner of a cookie then.
   */
  isFromElsewhere(headers: Readonly<Record<string, string | string[] | undefined>>): boolean;
  /** The headers by which the two above judge a request, with their values, as a part of an error message. */
  senderOf(headers: Readonly<Record<string, string | string[] | undefined>>): string;
}

/** More sources of the CSP, by directive; called once, when the site is set up. */
export type CspSources = () => Readonly<Record<string, readonly string[]>>;

declare module "#kernel" {
  interface Services {
    security: SecurityService;
  }
  interface Engines {
    /**
     * Register an engine in `setup`: there is no hook.
     *
     * @example
     * import type { RateLimitEngine } from "sitewright/plugins";
     * declare const shared: RateLimitEngine; // counts the requests to all servers of the site
     * site.engines.activate("rateLimit", shared);
     */
    rateLimit: RateLimitEngine;
  }
  interface Extensions {
    /**
     * More sources of the Content-Security-Policy, by directive; called once, when the site is set up. The site
     * uses those of all plugins.
     *
     * @example
     * site.extensions.add("cspSources", () => ({ "frame-src": ["https://maps.example"] }));
     */
    cspSources: CspSources;
  }
  interface ServerSettings {
    /** Requests per minute and address for the listed prefixes; false disables the limit. */
    rate_limit: number | false;
    /** Additional sources per CSP directive. */
    csp: Record<string, string[]>;
  }
  interface SiteSettings {
    cors_origins: string[];
  }
  interface SystemSettings {
    rateLimit: {
      /** `redis`: counted for all nodes that use the Redis of SITE_REDIS_URL. */
      store: "memory" | "redis";
    };
  }
}
