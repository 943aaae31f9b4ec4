import type { SiteContext } from "#kernel";
import type { SiteTree } from "./page-places.js";

/** What the site has before the import. */
export function siteTree(site: SiteContext): SiteTree {
  const content = site.use("content");
  const render = site.use("render", { optional: true });
  const lang = site.settings.system.languages.default;
  return {
    at: (route) => content.generation().at(route, lang),
    isClaimed: (route) => content.claimOf(route) !== null,
    hasTemplate: (name) => render?.has(name) ?? false,
  };
}
