/**
 * One guarded client for every request that leaves the site.
 * Provides: outbound, guardedHosts.
 * Uses: records.
 */
import { definePlugin } from "#kernel";
import { OutboundClient } from "./client.js";
import type {} from "./contract.js";
import { GuardedHosts } from "./guarded-hosts.js";
import { settings } from "./settings.js";
import { outboundErrors } from "./errors.js";

export default definePlugin({
  name: "outbound",
  version: "1.0.0",
  errors: outboundErrors,
  description: "Requests to other hosts",
  requires: ["records"],
  settings,
  setup(site) {
    const { deny_private: denyPrivate } = site.settings.site.outbound;
    const { trace } = site.runtime;
    const guarded: GuardedHosts = new GuardedHosts(site.use("records"), (url) =>
      client.refusal(url, "strict"),
    );
    const isGuarded = (host: string): Promise<boolean> => guarded.isGuarded(host);
    const client = new OutboundClient({ denyPrivate, isGuarded, trace });
    site.provide("guardedHosts", guarded);
    site.provide("outbound", client);
  },
});
