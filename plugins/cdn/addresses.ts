import type { PageEntry } from "../content/contract.js";

/**
 * Paths that a page has or had, whoever has asked for them: what was a 404 or a redirect there is
 * another answer now. `lang` stands in front of them when it does in the page's own address.
 */
export function pathsOf(entry: PageEntry): string[] {
  const prefix = `/${entry.lang}`;
  const isPrefixed = entry.url === prefix || entry.url.startsWith(`${prefix}/`);
  // Unless it is a folder of the tree that is named like the language.
  const front = isPrefixed && !entry.route.startsWith(`${prefix}/`) ? prefix : "";
  const aliases = entry.aliases.map((alias) => front + alias);
  return [entry.url, ...aliases, `/api/pages${entry.route}`];
}

/** The absolute address of a path of the site. */
export function addressOf(base: string, path: string): string {
  return new URL(base + path).href;
}
