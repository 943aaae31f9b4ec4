import { hostname } from "node:os";
import { sha256 } from "#lib/secrets";
import { isLoopbackUrl } from "#lib/urls";

/** Title and address of a site. */
export interface NamedSite {
  readonly title: string;
  readonly url: string;
}

/**
 * The name of a site in a store that its nodes share: its address, or its title when the address is not public.
 *
 * @example
 * const prefix = siteIdentity(site.settings.site);
 */
export function siteIdentity({ title, url }: NamedSite): string {
  return isLoopbackUrl(url) ? title : url;
}

/** Name of a node that has none: the host name, and a digest because one machine may run several. */
export function defaultNodeName(root: string): string {
  const host = hostname().replaceAll(/[^A-Za-z0-9._-]/g, "-");
  const digest = sha256(root).slice(0, 12);
  return `${host.slice(0, 50)}-${digest}`;
}
