/**
 * Security headers with CSP, CORS and rate limits; removes `x-site-user` from every request.
 * Provides: security.
 * Opens: rateLimit.
 */
import { definePlugin } from "#kernel";
import { createSlidingWindow } from "#kernel/internal";
import { clientKey } from "./client-key.js";
import { nonceFilter, protectStep } from "./middleware.js";
import { RateLimiter } from "./rate-limit.js";
import { isFromElsewhere, isSameOrigin } from "./same-origin.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "security",
  version: "1.0.0",
  settings,
  setup(site) {
    const slot = site.engines.open("rateLimit");
    const { clock } = site.runtime;
    // A changed wall clock must not lift the limits. Without `release`: the limiter counts attempts.
    const { take } = createSlidingWindow(() => performance.now());
    slot.register("memory", { take });
    slot.activate("memory");
    const limiter = new RateLimiter(slot, { clock, log: site.log });
    const own = new Set([new URL(site.settings.site.url).origin]);
    site.provide("security", {
      clientKey,
      limit: (key, limit, windowMs) => limiter.take(key, limit, windowMs),
      attempts: limiter.attempts,
      isSameOrigin: (headers) => isSameOrigin(headers, own),
      isFromElsewhere: (headers) => isFromElsewhere(headers, own),
    });
    site.lifecycle.onClose(() => slot.active.close?.());
    site.http.edge("protect", protectStep(site, limiter));
    site.http.filter(nonceFilter(site));
  },
});
