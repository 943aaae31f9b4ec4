import type { EdgeStep, SiteContext } from "#kernel";
import type { AnswerFilter, InternalContext } from "#kernel/internal";
import { allowedOrigins, CorsHeaders, isCorsPath } from "./cors.js";
import { cspDirectives, formatCsp, headerBlock, type CspDirectives } from "./header-block.js";
import { isLimitedPath, type RateLimiter } from "./rate-limit.js";
import { stripUserHeader } from "./user-header.js";

/**
 * Removes `x-site-user`, sets security and CORS headers, responds to preflights, counts API
 * requests.
 */
export function protectStep(site: SiteContext, limiter: RateLimiter): EdgeStep {
  const { server } = site.settings.system;
  const block = headerBlock(cspDirectives(server.csp), isHttps(site));
  const cors = new CorsHeaders(block, allowedOrigins(site.settings.site));
  const limit = server.rate_limit;
  return (req, res) => {
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

/** Adds the nonce of a response to its CSP. */
export function nonceFilter(site: SiteContext): AnswerFilter {
  const directives: CspDirectives = cspDirectives(site.settings.system.server.csp);
  return (req, _res, answer) => {
    if (!req.ctx.hasNonce) return;
    const policy = formatCsp(directives, req.ctx.nonce());
    answer.headers = { "Content-Security-Policy": policy, ...answer.headers };
  };
}

function isHttps(site: SiteContext): boolean {
  return site.runtime.env.mode === "production" && site.settings.site.url.startsWith("https:");
}
