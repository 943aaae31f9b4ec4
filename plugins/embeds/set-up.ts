import type { SiteContext } from "#kernel";
import { frameOrigins, toProviders } from "./providers.js";
import { embedShortcode, EmbedFacts } from "./embed-shortcode.js";

/** Registers what the plugin does in a site that starts. */
export function setUpEmbeds(site: SiteContext): void {
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
}
