import type { PageEntry } from "../../../content/contract.js";
import type { PageLink, PageView } from "../../contract.js";
import type { RenderContext, Scope } from "../render-context.js";

type Links = PageView["relations"];
const NO_LINKS: Links = Object.freeze({});

/** The pages that a page names, by the field that names them: `author`, `parts.2.by`. */
export function relationViews(
  context: Pick<RenderContext, "content" | "shared">,
  scope: Pick<Scope, "view" | "theme" | "lang">,
  entry: PageEntry,
): Links {
  const { view, theme, lang } = scope;
  const relations = context.content.relations.of(entry).filter(({ target }) => target === "page");
  if (relations.length === 0) return NO_LINKS;
  // Any page may begin or cease to be visible.
  view.all({ lang: entry.lang });
  const { href } = context.shared.of(theme, lang);
  const links = relations.map(({ field, entry: page }): [string, PageLink | null] => {
    if (page === null || !view.isListed(page)) return [field, null];
    const { title, route, lang: own } = page;
    return [field, { title, url: href(route), ...(own !== lang && { lang: own }) }];
  });
  return Object.fromEntries(links);
}

/** The links of one block: its fields without the way to it. */
export function linksBelow(links: Links, way: string): Links {
  if (links === NO_LINKS) return links;
  const own = Object.entries(links).filter(([field]) => field.startsWith(`${way}.`));
  return Object.fromEntries(own.map(([field, link]) => [field.slice(way.length + 1), link]));
}
