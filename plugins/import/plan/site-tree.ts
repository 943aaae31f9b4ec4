import type { SiteContext } from "#kernel";
import type { SiteTree } from "./page-places.js";

/** What the site has before the import. */
export function siteTree(site: SiteContext): SiteTree {
  const content = site.use("content");
  const render = site.use("render", { optional: true });
  const { default: main, supported } = site.settings.system.languages;
  return {
    languages: supported.filter((lang) => lang !== main),
    at: (route, lang = main) => content.generation().at(route, lang),
    addressOf: (route, lang) => decodeURIComponent(content.addresses.urlOf(route, lang)),
    isClaimed: (route) => content.claimOf(route) !== null,
    hasTemplate: (name) => render?.has(name) ?? false,
  };
}
