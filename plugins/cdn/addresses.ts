import type { ContentAddresses, PageEntry } from "../content/contract.js";

/**
 * All paths of a page, requested or not: a cached 404 or redirect there is now outdated.
 */
export function pathsOf(entry: PageEntry, addresses: Pick<ContentAddresses, "urlOf">): string[] {
  const aliases = entry.aliases.map((alias) => addresses.urlOf(alias, entry.lang));
  return [entry.url, ...aliases, `/api/pages${entry.route}`];
}

/** The absolute address of a path of the site. */
export function addressOf(base: string, path: string): string {
  return new URL(base + path).href;
}
