import { expectKind, type SiteContext } from "#kernel";
import { expectCsp } from "#lib/http";
import { clientKey, openLimiter } from "./rate-limit.js";
import { cspDirectives, type CspDirectives } from "./header-block.js";
import { nonceFilter, protectStep } from "./middleware.js";
import { isFromElsewhere, isSameOrigin, senderOf } from "./same-origin.js";

/** Registers what the plugin does in a site that starts. */
export function setUpSecurity(site: SiteContext): void {
  const limiter = openLimiter(site);
  site.use("health", { optional: true })?.addCheck("rate-limit", () => limiter.problem);
  const { origin } = new URL(site.settings.site.url);
  const origins = new Set([origin]);
  site.provide("security", {
    clientKey,
    limit: (key, limit, windowMs) => limiter.take(key, limit, windowMs),
    attempts: limiter.attempts,
    isSameOrigin: (headers) => isSameOrigin(headers, origins),
    isFromElsewhere: (headers) => isFromElsewhere(headers, origins),
    senderOf: (headers) => senderOf(headers, origin),
  });
  const sources = site.extensions.open("cspSources", {
    check: expectKind("function"),
    result: expectCsp,
  });
  let directives: CspDirectives | undefined;
  const policy = (): CspDirectives => {
    const { csp } = site.settings.system.server;
    return (directives ??= cspDirectives(csp, ...sources.each((one) => one())));
  };
  site.http.edge("protect", protectStep(site, limiter, policy));
  site.http.filter(nonceFilter(policy));
}
