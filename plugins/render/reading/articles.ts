import type { ContentView, PageEntry } from "../../content/contract.js";
import type { ArticleView, AuthorView, PageLink, SeriesView, CollectionView } from "../contract.js";
import { type RenderContext, type Scope, drawnWith } from "../page/render-context.js";
import { authorRoute, authorsOf, authorUrl } from "./listing-pages.js";

const MAX_RELATED = 3;
const AVATAR_SIZES = "4rem";

/** An article shows its author, its series and related articles beside its text. */
export async function loadArticle(
  context: RenderContext,
  scope: Scope,
  entry: PageEntry,
): Promise<ArticleView> {
  const authors = await loadAuthors(context, scope, entry);
  const articles = () => datedPages(scope.view, entry);
  return {
    author: authors[0] ?? null,
    authors,
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

/** The authors of a page: the pages that it names, else the page `/authors/{name}` of each name, else the name. */
async function loadAuthors(
  context: RenderContext,
  scope: Scope,
  entry: PageEntry,
): Promise<AuthorView[]> {
  const named = context.content.relations
    .of(entry)
    .filter(({ field, target }) => field.split(".")[0] === "author" && target === "page");
  if (named.length > 0) {
    const pages = named.flatMap(({ entry: page }) => page ?? []);
    const shown = pages.filter((page) => scope.view.isListed(page));
    return Promise.all(shown.map((page) => ofPage(context, scope, page)));
  }
  return Promise.all(
    authorsOf(entry).map(async (name) => {
      const route = `/authors${authorRoute(name).slice("/author".length)}`;
      const page = scope.view.page(route, scope.lang);
      if (page?.routable) return ofPage(context, scope, page);
      const url = authorUrl(context, scope, name);
      return { name, url, summary: "", image: null, imageAttributes: {} };
    }),
  );
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
  const related = naming.filter(({ field }) => field.split(".")[0] === "author");
  const sources = new Set(related.map((reference) => reference.entry.sourcePath));
  const slug = entry.route.slice(entry.route.lastIndexOf("/") + 1);
  const entries = datedPages(view, entry).filter((article) => {
    const isNamed = authorsOf(article).some((author) => authorRoute(author) === `/author/${slug}`);
    return isNamed || sources.has(article.sourcePath);
  });
  view.reads.add("list");
  const all = { size: MAX_ARTICLES, pageNumber: 1, url: entry.url };
  return context.collections.list(view, { entries: entries.slice(0, MAX_ARTICLES), ...all });
}
