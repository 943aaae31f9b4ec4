/**
 * One guarded client for every request that leaves the site.
 * Provides: outbound, guardedHosts.
 * Uses: records.
 */
import { definePlugin } from "#kernel";
import type {} from "./contract.js";
import { settings } from "./settings.js";
import { outboundErrors } from "./errors.js";

export default definePlugin({
  name: "outbound",
  version: "1.0.0",
  errors: outboundErrors,
  description: "Requests to other hosts",
  requires: ["records"],
  settings,
  async setup(site) {
    const { setUpOutbound } = await import("./set-up.js");
    setUpOutbound(site);
  },
});
