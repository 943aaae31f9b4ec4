import type { ContentAddresses, PageEntry } from "../content/contract.js";

/**
 * Paths that a page has or had, whoever has asked for them: what was a 404 or a redirect there is
 * another answer now.
 */
export function pathsOf(entry: PageEntry, addresses: Pick<ContentAddresses, "urlOf">): string[] {
  const aliases = entry.aliases.map((alias) => addresses.urlOf(alias, entry.lang));
  return [entry.url, ...aliases, `/api/pages${entry.route}`];
}

/** The absolute address of a path of the site. */
export function addressOf(base: string, path: string): string {
  return new URL(base + path).href;
}
