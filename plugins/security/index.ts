/**
 * Security headers with CSP, CORS and rate limits; removes `x-site-user` from every request.
 * Provides: security.
 * Uses: health.
 * Opens: rateLimit, cspSources.
 */
import { definePlugin, expectKind, OptionalPackages } from "#kernel";
import { redisCheck } from "#lib/diagnostics";
import { expectCsp } from "#lib/http";
import { clientKey, openLimiter } from "./rate-limit.js";
import { securityErrors } from "./errors.js";
import { cspDirectives, type CspDirectives } from "./header-block.js";
import { nonceFilter, protectStep } from "./middleware.js";
import { isFromElsewhere, isSameOrigin, senderOf } from "./same-origin.js";
import { settings } from "./settings.js";

const packages = new OptionalPackages({
  plugin: "security",
  packages: ["redis", "rate-limit-redis"],
  neededBy: ({ settings: { system } }) =>
    system.rateLimit.store === "redis" ? "rateLimit.store: redis" : null,
});

export default definePlugin({
  name: "security",
  version: "1.0.0",
  diagnostics: [
    packages.diagnostic,
    redisCheck(({ system }) => system.rateLimit.store === "redis"),
  ],
  after: ["health"],
  errors: securityErrors,
  settings,
  setup(site) {
    // Commands and exports count nothing.
    site.lifecycle.onListen(() => packages.assertInstalled(site));
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
  },
});
