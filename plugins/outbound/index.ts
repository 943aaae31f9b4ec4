/**
 * One guarded client for every request that leaves the site.
 * Provides: outbound, heldHosts.
 */
import { definePlugin } from "#kernel";
import { OutboundClient } from "./client.js";
import type {} from "./contract.js";
import { HeldHosts } from "./held-hosts.js";
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
    const { trace } = site.runtime;
    const held: HeldHosts = new HeldHosts({
      store: () => site.engines.slot("records").active,
      refusal: (url) => client.refusal(url, "strict"),
    });
    const isHeld = (host: string): Promise<boolean> => held.isHeld(host);
    const client = new OutboundClient({ denyPrivate, isHeld, trace });
    site.provide("heldHosts", held);
    site.provide("outbound", client);
  },
});
