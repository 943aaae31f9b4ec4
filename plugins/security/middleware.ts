import type { EdgeStep, SiteContext } from "#kernel";
import { withCspSources, type AnswerFilter, type InternalContext } from "#kernel/internal";
import { allowedOrigins, CorsHeaders, isCorsPath } from "./cors.js";
import { formatCsp, headerBlock, type CspDirectives } from "./header-block.js";
import { isLimitedPath, type RateLimiter } from "./rate-limit.js";
import { stripUserHeader } from "./user-header.js";

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
