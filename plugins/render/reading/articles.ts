import type { ContentView, PageEntry } from "../../content/contract.js";
import type { ArticleView, AuthorView, PageLink, SeriesView, CollectionView } from "../contract.js";
import { type RenderContext, type Scope, drawnWith } from "../page/render-context.js";
import { authorRoute, hasListings } from "./listing-pages.js";

const MAX_RELATED = 3;
const AVATAR_SIZES = "4rem";

/** An article shows its author, its series and related articles beside its text. */
export async function loadArticle(
  context: RenderContext,
  scope: Scope,
  entry: PageEntry,
): Promise<ArticleView> {
  const author = await loadAuthor(context, scope, entry);
  const articles = () => datedPages(scope.view, entry);
  return {
    author,
    series: () => findSeries(articles, entry),
    related: () => findRelated(articles, entry).map(toLink),
  };
}

/** The dated pages of the language of a page, newest first. */
export function datedPages(
  view: ContentView,
  { lang, standsInFor }: PageEntry,
): readonly PageEntry[] {
  // Other articles may appear, move or get other terms.
  view.reads.add("list");
  const language = { lang: standsInFor ?? lang, fallback: standsInFor !== undefined };
  const order = { by: "date", dir: "desc" } as const;
  const { items } = view.list({ ...language, order, offset: 0, limit: Number.MAX_SAFE_INTEGER });
  return items.filter(({ date, routable }) => date !== null && routable);
}

/** The author of a page: the page that it names, else the page `/authors/{name}`, else a name. */
async function loadAuthor(
  context: RenderContext,
  scope: Scope,
  entry: PageEntry,
): Promise<AuthorView | null> {
  const { author } = entry.frontmatter;
  const named = context.content.relations
    .of(entry)
    .find(({ field, target }) => field === "author" && target === "page");
  if (named !== undefined) {
    const isShown = named.entry !== null && scope.view.isListed(named.entry);
    return named.entry !== null && isShown ? ofPage(context, scope, named.entry) : null;
  }
  const name = typeof author === "string" ? author.trim() : "";
  if (name === "") return null;
  const page = scope.view.page(`/authors${authorRoute(name).slice("/author".length)}`, scope.lang);
  if (page?.routable) return ofPage(context, scope, page);
  const { href } = context.shared.of(scope.theme, scope.lang);
  const url = hasListings(context.site.settings.site.theme) ? href(authorRoute(name)) : null;
  return { name, url, summary: "", image: null, imageAttributes: {} };
}

async function ofPage(context: RenderContext, scope: Scope, page: PageEntry): Promise<AuthorView> {
  const { title, route, frontmatter, lang } = page;
  const { href } = context.shared.of(scope.theme, scope.lang);
  const image = context.content.addresses.imageOf(page);
  scope.view.reads.add(`page:${page.sourcePath}`).add(`media:${page.folder}`);
  const { srcset = "" } = await context.pictures.at(image, page);
  return {
    name: title,
    url: href(route),
    summary: typeof frontmatter["summary"] === "string" ? frontmatter["summary"] : "",
    image,
    imageAttributes: srcset === "" ? {} : { srcset, sizes: AVATAR_SIZES },
    ...(lang !== scope.lang && { lang }),
  };
}

/** The articles with the same `series` in the front matter, oldest first. */
function findSeries(articles: () => readonly PageEntry[], entry: PageEntry): SeriesView | null {
  const { series } = entry.frontmatter;
  if (typeof series !== "string" || series === "") return null;
  const parts = articles()
    .filter(({ frontmatter }) => frontmatter["series"] === series)
    .toReversed();
  const at = parts.findIndex(({ sourcePath }) => sourcePath === entry.sourcePath);
  if (parts.length < 2 || at === -1) return null;
  return { title: series, part: at + 1, parts: parts.map(toLink) };
}

/** The articles that share most terms with a page, the newest first among equals. */
function findRelated(articles: () => readonly PageEntry[], entry: PageEntry): readonly PageEntry[] {
  const terms = new Set(listTerms(entry));
  if (terms.size === 0) return [];
  const scored = articles()
    .filter(({ sourcePath }) => sourcePath !== entry.sourcePath)
    .map((page) => ({ page, shared: listTerms(page).filter((term) => terms.has(term)).length }))
    .filter(({ shared }) => shared > 0);
  // Sorting is stable: equals stay in the order of dates.
  return scored
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, MAX_RELATED)
    .map(({ page }) => page);
}

function listTerms({ taxonomy }: PageEntry): string[] {
  return Object.entries(taxonomy).flatMap(([name, values]) =>
    values.map((value) => `${name}:${value}`),
  );
}

function toLink({ title, url, lang, standsInFor }: PageEntry): PageLink {
  return { title, url, ...(standsInFor !== undefined && { lang }) };
}

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
