import { hostname } from "node:os";
import { isLoopbackUrl } from "#lib/urls";
import { sha256 } from "#lib/secrets";
import type { SiteContext } from "./contracts.js";

/** The name of a site in a store that its nodes share: its address, or its title when the address is not public. */
export function siteIdentity({ settings: { site } }: Pick<SiteContext, "settings">): string {
  return isLoopbackUrl(site.url) ? site.title : site.url;
}

/** Name of a node that has none: the host name, and a digest because one machine may run several. */
export function defaultNodeName(root: string): string {
  const host = hostname().replaceAll(/[^A-Za-z0-9._-]/g, "-");
  const digest = sha256(root).slice(0, 12);
  return `${host.slice(0, 50)}-${digest}`;
}
