import type { PageEntry } from "../../content/contract.js";
import type { CollectionView } from "../contract.js";
import { drawnWith } from "../page/drawn-with.js";
import type { RenderContext, Scope } from "../page/render-context.js";
import { datedPages } from "./articles.js";
import { authorRoute } from "./listing-routes.js";

const MAX_ARTICLES = 100;

/** The articles of the person on a page with template `author`; null for any other page. */
export async function authoredBy(
  context: RenderContext,
  { view }: Pick<Scope, "view">,
  entry: PageEntry,
): Promise<CollectionView | null> {
  if (drawnWith(context, entry) !== "author") return null;
  const naming = context.content.relations.referencedBy(entry);
  const related = naming.filter(({ field }) => field === "author");
  const sources = new Set(related.map((reference) => reference.entry.sourcePath));
  const slug = entry.route.slice(entry.route.lastIndexOf("/") + 1);
  const entries = datedPages(view, entry).filter(({ sourcePath, frontmatter: { author } }) => {
    const isNamed = typeof author === "string" && authorRoute(author) === `/author/${slug}`;
    return isNamed || sources.has(sourcePath);
  });
  view.reads.add("list");
  const all = { size: MAX_ARTICLES, pageNumber: 1, url: entry.url };
  return context.collections.list(view, { entries: entries.slice(0, MAX_ARTICLES), ...all });
}
