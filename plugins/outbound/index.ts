/**
 * One guarded client for every request that leaves the site.
 * Provides: outbound.
 */
import { definePlugin } from "#kernel";
import { OutboundClient } from "./client.js";
import type {} from "./contract.js";
import { settings } from "./settings.js";
import { outboundErrors } from "./errors.js";

export default definePlugin({
  name: "outbound",
  version: "1.0.0",
  errors: outboundErrors,
  description: "Requests to other hosts",
  settings,
  setup(site) {
    const { deny_private: denyPrivate } = site.settings.site.outbound;
    site.provide("outbound", new OutboundClient({ denyPrivate, trace: site.runtime.trace }));
  },
});
