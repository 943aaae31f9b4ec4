import type { IncomingMessage } from "node:http";
import type { EdgeStep, SiteContext, SiteSettings } from "#kernel";
import { canParseUrl } from "#lib/urls";
import type { AnswerFilter, InternalContext } from "#kernel/internal";
import { withCspSources } from "#lib/http";
import { formatCsp, headerBlock, type CspDirectives } from "./header-block.js";
import { isLimitedPath, type RateLimiter } from "./rate-limit.js";

/**
 * Removes `x-site-user`, sets security and CORS headers, responds to preflights, counts API
 * requests.
 */
export function protectStep(
  site: SiteContext,
  limiter: RateLimiter,
  policy: () => CspDirectives,
): EdgeStep {
  const { server } = site.settings.system;
  const limit = server.rate_limit;
  let headers: ReturnType<typeof headersOf> | undefined;
  return (req, res) => {
    // On the first request all plugins are set up.
    const { block, cors } = (headers ??= headersOf(site, policy()));
    stripUserHeader(req);
    const ctx: InternalContext = req.ctx;
    if (!isCorsPath(ctx.path)) {
      ctx.responseHeaders = block;
      return false;
    }
    ctx.responseHeaders = cors.for(req.headers.origin);
    if (req.method === "OPTIONS") {
      res.writeHead(204, {
        "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match",
        "Access-Control-Max-Age": "600",
      });
      res.end();
      return true;
    }
    if (limit === false || !isLimitedPath(ctx.path)) return false;
    const checked = limiter.check(ctx.ip, limit);
    return checked instanceof Promise ? checked.then(() => false) : false;
  };
}

function headersOf(site: SiteContext, directives: CspDirectives) {
  const block = headerBlock(directives, isHttps(site));
  return { block, cors: new CorsHeaders(block, allowedOrigins(site.settings.site)) };
}

/** Adds the nonce of a response to its CSP. */
export function nonceFilter(policy: () => CspDirectives): AnswerFilter {
  return (req, _res, answer) => {
    if (!req.ctx.hasNonce) return;
    const ctx: InternalContext = req.ctx;
    const value = withCspSources(formatCsp(policy(), ctx.nonce()), ctx.csp ?? {});
    answer.headers = { "Content-Security-Policy": value, ...answer.headers };
  };
}

function isHttps(site: SiteContext): boolean {
  return site.runtime.env.mode === "production" && site.settings.site.url.startsWith("https:");
}

/** Paths readable by other origins: the public read API and its descriptions. */
const PREFIXES = ["/api/", "/_site/"];
/** Called by servers, never by browsers. */
const NOT_READ = "/api/webhook/";

/** Origins that may read the API: first that of `site.url`, then `cors_origins`. */
function allowedOrigins(site: SiteSettings): ReadonlySet<string> {
  const origins = [site.url, ...site.cors_origins].flatMap((url) =>
    canParseUrl(url) ? [new URL(url).origin] : [],
  );
  return new Set(origins);
}

/** True for a path that allowed origins may read. */
function isCorsPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix)) && !path.startsWith(NOT_READ);
}

/** CORS headers by origin, computed once; `Vary: Origin` always. */
class CorsHeaders {
  readonly #plain: Readonly<Record<string, string>>;
  readonly #own: Readonly<Record<string, string>>;
  readonly #byOrigin: ReadonlyMap<string, Readonly<Record<string, string>>>;

  constructor(block: Readonly<Record<string, string>>, origins: ReadonlySet<string>) {
    this.#plain = { ...block, Vary: "Origin" };
    this.#byOrigin = new Map(
      [...origins].map((origin) => [
        origin,
        {
          ...this.#plain,
          "Access-Control-Allow-Origin": origin,
          "Access-Control-Expose-Headers": "ETag, Link, Retry-After, X-Next-Cursor, X-Total-Count",
        },
      ]),
    );
    const [own = this.#plain] = this.#byOrigin.values();
    this.#own = own;
  }

  /** The CORS headers for `origin`; defaults to the site's own origin. */
  for(origin: string | undefined): Readonly<Record<string, string>> {
    return origin === undefined ? this.#own : (this.#byOrigin.get(origin) ?? this.#plain);
  }
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
