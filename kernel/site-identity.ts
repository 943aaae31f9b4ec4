import { isLoopbackUrl } from "#lib/urls";
import type { SiteContext } from "./contracts.js";

/** What identifies a site in a store that its nodes share: a site without a public address is known by its title. */
export function siteIdentity({ settings: { site } }: Pick<SiteContext, "settings">): string {
  return isLoopbackUrl(site.url) ? site.title : site.url;
}
