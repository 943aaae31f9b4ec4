/**
 * Liveness, readiness and, with a token, the details of a running site.
 * Provides: health.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({
  name: "health",
  version: "1.0.0",
  settings,
  async diagnostics() {
    const { diskCheck, runningHealthCheck, healthCheck } = await import("./checks.js");
    return [diskCheck, runningHealthCheck, healthCheck];
  },
  async setup(site) {
    const { setUpHealth } = await import("./set-up.js");
    setUpHealth(site);
  },
});
