/** What others may know of protection: the rate-limit slot and the CSP. */

/** Verdict on one request. */
export interface RateVerdict {
  allowed: boolean;
  /** Whole seconds until a request is allowed again, at least 1. */
  retryAfterSeconds: number;
}
/** Counts requests per key in a sliding window. */
export interface RateLimitEngine {
  /** Counts one request of `key` against `limit` in `windowMs`; may answer without a promise. */
  take(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict>;
  /** Lets go of what it holds, once the site serves nobody any more. */
  close?(): Promise<void>;
}
/** Protection that other plugins use. */
export interface SecurityService {
  /** The key of a client address: IPv4 as it is, IPv6 by its /64. */
  clientKey(ip: string): string;
  /** Counts in the active engine; a failing engine falls back to memory. */
  limit(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict>;
  /** True when the request comes from a page of this site (Origin, else Sec-Fetch-Site). */
  isSameOrigin(headers: Readonly<Record<string, string | string[] | undefined>>): boolean;
  /**
   * True when a browser says that a page of another site started the request: what changes something
   * for the owner of a cookie is refused then.
   */
  isFromElsewhere(headers: Readonly<Record<string, string | string[] | undefined>>): boolean;
}

declare module "#kernel" {
  interface Services {
    security: SecurityService;
  }
  interface Engines {
    rateLimit: RateLimitEngine;
  }
  interface ServerSettings {
    /** Requests a minute and address for the listed prefixes; false switches the limit off. */
    rate_limit: number | false;
    /** Further sources per CSP directive. */
    csp: Record<string, string[]>;
  }
  interface SiteSettings {
    cors_origins: string[];
  }
}
