/**
 * Embeds videos and posts of allowed providers in pages: `{{ embed "https://…" }}`, or an address
 * alone on a line.
 * Uses: markdown, outbound.
 * Adds: cspSources.
 */
import { definePlugin } from "#kernel";
import type {} from "../security/contract.js";
import { frameOrigins, toProviders } from "./providers.js";
import { embedShortcode, EmbedFacts } from "./embed-shortcode.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "embeds",
  version: "1.0.0",
  description: "Embeds of allowed providers",
  requires: ["markdown", "outbound"],
  after: ["security"],
  settings,
  setup(site) {
    const providers = toProviders(site.settings.system.content.markdown.embeds);
    const facts = new EmbedFacts({
      cache: site.cache,
      clock: site.runtime.clock,
      log: site.log,
      outbound: site.use("outbound"),
    });
    site.use("markdown").addShortcode("embed", embedShortcode(providers, facts));
    if (providers.length === 0) return;
    site.extensions.add("cspSources", () => ({ "frame-src": frameOrigins(providers) }));
  },
});
