import { isRecord } from "#kernel";
import { sameName } from "#lib/text";
import type { ArticleView, MediaView, PageView, PageLink, ShownField } from "../../contract.js";
import type { Rendered } from "../../../markdown/contract.js";
import type { Page, PageEntry, RouteMatch } from "../../../content/contract.js";
import { loadArticle } from "../../reading/articles.js";
import type { RenderContext, Scope } from "../render-context.js";
import { textDirection } from "../../theme/strings.js";
import { findNeighbours } from "./page-links.js";

/** A match that is a page. */
export type PageMatch = Extract<RouteMatch, { kind: "page" }>;

/** A page for templates, and the pages on the way to it (the page last). */
export interface PageScene {
  entry: PageEntry;
  view: PageView;
  way: readonly PageEntry[];
}

/** Loads a page and renders its body. Throws when the file was deleted or the format fails. */
export async function toPageScene(
  context: RenderContext,
  scope: Scope,
  match: PageMatch,
): Promise<PageScene> {
  const { entry } = match;
  const page = await scope.view.load(entry);
  const rendered = await context.markdown.render(page, bodyProps(context, scope, page));
  const media = await context.pictures.ofPage(page.media, entry);
  const changed = await context.reading.changed(entry);
  const article = isArticle(entry) ? await loadArticle(context, scope, entry) : null;
  return toScene(context, scope, { match, page, rendered, media, changed, article });
}

/** A loaded page with everything that its view shows. */
interface LoadedPage {
  match: PageMatch;
  page: Page;
  /** The HTML of its body. */
  rendered: Rendered;
  media: readonly MediaView[];
  /** ISO date of the last change; null when unknown or not shown. */
  changed: string | null;
  /** Null for a page without a date and an author. */
  article: ArticleView | null;
}

function toScene(
  context: RenderContext,
  scope: Scope,
  { match, page, rendered, media, changed, article }: LoadedPage,
): PageScene {
  const { entry, lang } = match;
  const { headings, reads = [] } = rendered;
  const html = context.pictures.inBody(rendered.html, scope.view);
  // Targets of links and images may move, which changes the page.
  for (const tag of reads) scope.view.reads.add(tag);
  if (rendered.until !== undefined) scope.view.expireAt(rendered.until);
  const way = listAncestors(scope, entry);
  const { href } = context.shared.of(scope.theme, lang);
  const { route, title, navTitle, date, template, format, taxonomy } = page.entry;
  const frontmatter = withRobots(context, page.entry);
  const image = coverAddress(context, page);
  const relations = relationViews(context, scope, entry);
  const view: PageView = {
    route,
    url: href(route),
    title,
    navTitle,
    date,
    template,
    format,
    lang: entry.lang,
    dir: textDirection(entry.lang),
    fallback: entry.standsInFor !== undefined,
    html,
    // Not an accessor: in a literal it creates a hidden class each time, which stays in the old
    // space and keeps the data of the request alive until the next full collection.
    excerpt: context.markdown.excerpt(page),
    headings,
    frontmatter,
    taxonomy,
    relations,
    shown: shownFields(context, entry, relations),
    media,
    canonical: context.content.indexing.canonical(entry, match.pageNumber),
    image,
    imageAttributes: media.find(({ url }) => url === image)?.attributes ?? {},
    breadcrumbs: context.breadcrumbs.of(way, href, lang),
    changed,
    editUrl: context.reading.editUrl(entry),
    card: context.reading.cards.addressOf(entry),
    neighbours: () => findNeighbours(scope.view, entry, href),
    article: () => article,
  };
  return { entry, view, way };
}

/** Props of `tsx` pages and MDX components. */
function bodyProps(context: RenderContext, scope: Scope, page: Page): Record<string, unknown> {
  const { media, entry } = page;
  return {
    site: context.site.settings.site,
    config: { theme: scope.theme.config },
    route: entry.route,
    media: {
      url: (name: string) => media.find((item) => sameName(item.name, name))?.url ?? null,
      get: (name: string) => media.find((item) => sameName(item.name, name)) ?? null,
      list: () => media,
    },
    params: {},
    user: scope.user,
    siteUser: scope.user,
  };
}

function listAncestors({ view, lang }: Scope, entry: PageEntry): PageEntry[] {
  const way: PageEntry[] = [];
  for (const route of routesAbove(entry.route)) {
    const ancestor = view.page(route, lang);
    if (ancestor !== undefined && ancestor.sourcePath !== entry.sourcePath) way.push(ancestor);
  }
  way.push(entry);
  return way;
}

/** `/` and `/docs` for `/docs/start`; none for the home page. */
function routesAbove(route: string): string[] {
  if (route === "/") return [];
  const routes = ["/"];
  for (let end = route.indexOf("/", 1); end !== -1; end = route.indexOf("/", end + 1)) {
    routes.push(route.slice(0, end));
  }
  return routes;
}

/** The front matter with the directives for robots among the meta tags, whichever key gives them. */
function withRobots(
  { content, robotsAdded }: RenderContext,
  entry: PageEntry,
): PageEntry["frontmatter"] {
  const { frontmatter } = entry;
  if (frontmatter["robots"] === undefined && frontmatter["noindex"] === undefined) {
    return frontmatter;
  }
  const cached = robotsAdded.get(entry);
  if (cached !== undefined) return cached;
  const robots = content.indexing.robots(entry);
  const metadata = isRecord(frontmatter["metadata"]) ? frontmatter["metadata"] : {};
  const added = { ...frontmatter, ...(robots !== null && { metadata: { ...metadata, robots } }) };
  robotsAdded.set(entry, added);
  return added;
}

function coverAddress({ content }: RenderContext, { entry, media }: Page): string | null {
  const image = entry.frontmatter["image"];
  const name = typeof image === "string" ? image.replace(/^\.\//, "") : null;
  const item = name === null ? undefined : media.find((each) => sameName(each.name, name));
  return item?.url ?? content.addresses.imageOf(entry);
}

function isArticle({ date, frontmatter }: PageEntry): boolean {
  return date !== null || frontmatter["author"] !== undefined;
}

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
    const { title, route, lang: pageLanguage } = page;
    return [
      field,
      { title, url: href(route), ...(pageLanguage !== lang && { lang: pageLanguage }) },
    ];
  });
  return Object.fromEntries(links);
}

/** The links of one block: its fields without the way to it. */
export function linksBelow(links: Links, way: string): Links {
  if (links === NO_LINKS) return links;
  const below = Object.entries(links).filter(([field]) => field.startsWith(`${way}.`));
  return Object.fromEntries(below.map(([field, link]) => [field.slice(way.length + 1), link]));
}

/** Ids, file names and sources say nothing to readers. */
const UNSHOWN = new Set([
  "user",
  "record",
  "records",
  "media",
  "file",
  "hidden",
  "markdown",
  "code",
]);
const PAGES = new Set(["page", "pages"]);
const NONE: readonly ShownField[] = Object.freeze([]);

/** The fields that the blueprint of a page shows, with their values. Maps and empty values are left out. */
function shownFields(
  { content }: Pick<RenderContext, "content">,
  { template, frontmatter }: PageEntry,
  relations: PageView["relations"],
): readonly ShownField[] {
  const blueprint = content.blueprints.of(template);
  if (blueprint === undefined || blueprint.show.length === 0) return NONE;
  return blueprint.show.flatMap((name): ShownField[] => {
    const field = blueprint.fields.find((one) => one.name === name);
    const value = frontmatter[name];
    if (field === undefined || UNSHOWN.has(field.type) || !isShown(value)) return [];
    const { type, label, options } = field;
    const links = PAGES.has(type) ? relationLinks(relations, name) : [];
    // The visitor may see none of the pages.
    if (PAGES.has(type) && links.length === 0) return [];
    return [{ name, type, label, options: [...options], value, links }];
  });
}

function isShown(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isShown);
  return value !== undefined && value !== null && value !== "" && typeof value !== "object";
}

/** A list of pages has one relation for each, `parts.0`. */
function relationLinks(relations: PageView["relations"], name: string): PageLink[] {
  const links = Object.entries(relations).filter(
    ([field]) => field === name || field.startsWith(`${name}.`),
  );
  return links.flatMap(([, link]) => (link === null ? [] : [link]));
}
