import type { SiteContext } from "#kernel";
import { OutboundClient } from "./client.js";
import { GuardedHosts } from "./guarded-hosts.js";

/** Registers what the plugin does in a site that starts. */
export function setUpOutbound(site: SiteContext): void {
  const { deny_private: denyPrivate } = site.settings.site.outbound;
  const { trace } = site.runtime;
  const guarded: GuardedHosts = new GuardedHosts(site.use("records"), (url) =>
    client.refusal(url, "strict"),
  );
  const isGuarded = (host: string): Promise<boolean> => guarded.isGuarded(host);
  const client = new OutboundClient({ denyPrivate, isGuarded, trace });
  site.provide("guardedHosts", guarded);
  site.provide("outbound", client);
}
