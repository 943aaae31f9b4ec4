import { type EdgeStep, expectKind, type SiteContext } from "#kernel";
import { expectCsp } from "#lib/http";
import { clientKey, openLimiter } from "./rate-limit.js";
import { cspDirectives, type CspDirectives, nonceFilter } from "./csp-policy.js";
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
  let protect: EdgeStep | undefined;
  // The packages for headers, CORS and limits: commands send no responses.
  const load = async (): Promise<EdgeStep> => {
    const { protectStep } = await import("./middleware.js");
    return (protect ??= protectStep(site, limiter, policy));
  };
  site.lifecycle.onListen(async () => void (await load()));
  site.http.edge("protect", (req, res) =>
    protect === undefined ? load().then((step) => step(req, res)) : protect(req, res),
  );
  site.http.filter(nonceFilter(policy));
}
