/**
 * Security headers with CSP, CORS and rate limits; removes `x-site-user` from every request.
 * Provides: security.
 * Opens: rateLimit.
 */
import { definePlugin } from "#kernel";
import { clientKey } from "./client-key.js";
import { nonceFilter, protectStep } from "./middleware.js";
import { RateLimiter } from "./rate-limit.js";
import { isFromElsewhere, isSameOrigin } from "./same-origin.js";
import { settings } from "./settings.js";
import { createSlidingWindow } from "./sliding-window.js";

export default definePlugin({
  name: "security",
  version: "1.0.0",
  settings,
  setup(site) {
    const slot = site.engines.open("rateLimit");
    slot.register("memory", createSlidingWindow());
    slot.activate("memory");
    const limiter = new RateLimiter(slot, site.log);
    const own = new Set([new URL(site.settings.site.url).origin]);
    site.provide("security", {
      clientKey,
      limit: (key, limit, windowMs) => limiter.take(key, limit, windowMs),
      isSameOrigin: (headers) => isSameOrigin(headers, own),
      isFromElsewhere: (headers) => isFromElsewhere(headers, own),
    });
    site.lifecycle.onClose(() => slot.active.close?.());
    site.http.edge("protect", protectStep(site, limiter));
    site.http.filter(nonceFilter(site));
  },
});
