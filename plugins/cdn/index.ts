/**
 * Purges what changed, and what was made from it, from a content delivery network.
 * Provides: cdn.
 * Uses: content, outbound, jobs, cache, health.
 */
import { definePlugin } from "#kernel";
import type {} from "../content/contract.js";
import type {} from "../jobs/contract.js";
import { cdnErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "cdn",
  version: "1.0.0",
  async diagnostics() {
    const { cdnCheck } = await import("./diagnostics.js");
    return [cdnCheck];
  },
  onlyServing: true,
  description: "Purging of a content delivery network",
  errors: cdnErrors,
  requires: ["content", "outbound", "jobs"],
  after: ["health"],
  settings,
  async commands() {
    const { purgeCommand } = await import("./commands.js");
    return [purgeCommand()];
  },
  async setup(site) {
    const { setUpCdn } = await import("./set-up.js");
    setUpCdn(site);
  },
});
