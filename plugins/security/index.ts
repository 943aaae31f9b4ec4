/**
 * Security headers with CSP, CORS and rate limits; removes `x-site-user` from every request.
 * Provides: security.
 * Uses: health.
 * Opens: rateLimit, cspSources.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { securityErrors } from "./errors.js";
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
  async diagnostics() {
    const { redisCheck } = await import("#lib/diagnostics");
    return [packages.diagnostic, redisCheck(({ system }) => system.rateLimit.store === "redis")];
  },
  after: ["health"],
  errors: securityErrors,
  settings,
  async setup(site) {
    site.lifecycle.onListen(() => packages.assertInstalled(site));
    const { setUpSecurity } = await import("./set-up.js");
    setUpSecurity(site);
  },
});
