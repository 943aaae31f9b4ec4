import type { z } from "zod";
import { isRecord, type SiteContext } from "#kernel";
import { compareTexts } from "#lib/text";
import type { BrokenPage, PageEntry, Generation } from "../../../content/contract.js";
import { isLimited, lacksOf, mayAt, type Limited } from "../../accounts/rights.js";
import { brokenRow, carrierOf, pageRow, readStatus } from "../../write/page-source.js";
import type { AdminContext, IdentifiedExchange } from "../admin-context.js";
import { pagesApi } from "../../schemas/pages.js";

type ListQuery = z.infer<(typeof pagesApi)["GET /pages"]["query"]>;

/** Lists pages: all, or one level of the tree. */
export function pageListRoute(context: AdminContext): void {
  const { admin, site } = context;
  const tree = new PageTree(site.settings.system.languages.default);
  admin.route({
    method: "get",
    path: "/pages",
    permission: "pages.read",
    summary: "Pages including unpublished ones, in tree order: all, or with parent one level",
    paths: "own",
    responses: pagesApi["GET /pages"].responses,
    query: pagesApi["GET /pages"].query,
    handler: (req, res, { query, identity }) => list(site, tree, { req, res, query, identity }),
  });
  admin.route({
    method: "get",
    path: "/page-facets",
    permission: "pages.read",
    summary:
      "Tags and authors of the pages, the most used first, to filter their list by; translations count as one page",
    paths: "own",
    responses: pagesApi["GET /page-facets"].responses,
    handler: (req, res, { identity }) => {
      const { entries } = site.use("content").generation();
      const seen = entries.filter(({ sourcePath }) => mayAt(identity, "pages.read", sourcePath));
      const pages = [...groupLanguages(seen).values()];
      const tags = countValues(pages.flatMap((files) => [...new Set(files.flatMap(termsOf))]));
      const authors = countValues(pages.flatMap((files) => [...new Set(files.flatMap(authorsOf))]));
      return site.http.json(req, res, { tags, authors });
    },
  });
}

interface ListRequest extends IdentifiedExchange {
  readonly query: ListQuery;
}

function list(
  site: SiteContext,
  tree: PageTree,
  { req, res, query, identity }: ListRequest,
): unknown {
  const { limit, offset, parent } = query;
  const content = site.use("content");
  const { blueprints } = content;
  const generation = content.generation();
  const broken = content.brokenPages();
  const problems = new Map(broken.map((page) => [page.sourcePath, page.problem]));
  const level = parent === undefined ? generation.entries : tree.below(generation, parent);
  const seen = level.filter(({ sourcePath }) => mayAt(identity, "pages.read", sourcePath));
  const isOwner = (path: string): boolean =>
    query.own !== "true" || content.ownersOf(path)?.includes(identity.id) === true;
  const isMatch = (entry: PageEntry): boolean =>
    matches(entry, query) &&
    isOwner(entry.sourcePath) &&
    (query.status !== "broken" || problems.has(entry.sourcePath));
  const together = query.languages === "together" ? groupLanguages(seen) : null;
  const matching =
    together === null
      ? seen.filter(isMatch)
      : [...together.values()].flatMap((group) => {
          const found = group.filter(isMatch);
          const first = group.find(({ lang }) => lang === tree.defaultLang) ?? group[0];
          // The words may be those of a translation; a language that is asked for is the one to show.
          return found.length === 0 ? [] : ((query.lang === undefined ? first : found[0]) ?? []);
        });
  // Broken pages come first: visitors cannot report them.
  const isWithBroken = query.broken === "true" || query.status === "broken";
  const unread = broken.filter(
    (page) =>
      isWithBroken &&
      !generation.bySource.has(page.sourcePath) &&
      matchesBroken(page, query) &&
      isOwner(page.sourcePath) &&
      mayAt(identity, "pages.read", page.sourcePath),
  );
  const sorted = sortPages(matching, query);
  const toRow = (entry: PageEntry): Record<string, unknown> => {
    const problem = problems.get(entry.sourcePath);
    return {
      ...pageRow(entry, query.columns ?? blueprints.of(entry.template)?.columns),
      isMovable: problem === undefined && isMovable(identity, entry, generation),
      hasChildren: tree.hasChildren(generation, entry, together !== null),
      ...(together !== null && {
        languages: together.get(pageKey(entry))?.map(languageRow),
      }),
      ...(problem !== undefined && { broken: problem }),
      ...lacksOf(identity, entry.sourcePath),
    };
  };
  const start = Math.max(0, offset - unread.length);
  const end = Math.max(0, offset + limit - unread.length);
  const items = [
    ...unread
      .slice(offset, offset + limit)
      .map((page) => ({ ...brokenRow(page), ...lacksOf(identity, page.sourcePath) })),
    ...sorted.slice(start, end).map(toRow),
  ];
  return site.http.json(req, res, { items, total: unread.length + matching.length });
}

/** True when the account may move the page with everything below it. */
function isMovable(identity: Limited, entry: PageEntry, { entries }: Generation): boolean {
  if (entry.isModule || entry.route === "/") return false;
  const mayMove = (path: string): boolean => mayAt(identity, "pages.update", path);
  if (!mayMove(entry.sourcePath)) return false;
  if (!isLimited(identity)) return true;
  const folder = `${carrierOf(entry)}/`;
  return entries.every(({ sourcePath }) => !sourcePath.startsWith(folder) || mayMove(sourcePath));
}

/** Default directions: the latest first for times. */
function sortPages(pages: readonly PageEntry[], { sort, order }: ListQuery): readonly PageEntry[] {
  if (sort === undefined) return order === "desc" ? pages.toReversed() : pages;
  const compare: (a: PageEntry, b: PageEntry) => number = {
    changed: (a: PageEntry, b: PageEntry) => a.mtimeMs - b.mtimeMs,
    title: (a: PageEntry, b: PageEntry) => compareTexts(a.title, b.title),
    status: (a: PageEntry, b: PageEntry) => compareTexts(readStatus(a), readStatus(b)),
    date: (a: PageEntry, b: PageEntry) => compareTexts(a.date ?? "", b.date ?? ""),
  }[sort];
  const isDown = (order ?? (sort === "changed" || sort === "date" ? "desc" : "asc")) === "desc";
  return pages.toSorted((a, b) => (isDown ? compare(b, a) : compare(a, b)));
}

/** The terms of a page, of all its taxonomies. */
function termsOf({ taxonomy }: PageEntry): string[] {
  return [...new Set(Object.values(taxonomy).flat())];
}

/** The names in the key `author` of a page: a text, a list, or maps with a name. */
function authorsOf({ frontmatter }: PageEntry): string[] {
  const { author } = frontmatter;
  const all: readonly unknown[] = Array.isArray(author) ? author : [author];
  return all.flatMap((one) => {
    const name = isRecord(one) ? one["name"] : one;
    return typeof name === "string" && name !== "" ? [name] : [];
  });
}

/** The values to filter by, the most used first. */
function countValues(values: readonly string[]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compareTexts(a.value, b.value))
    .slice(0, MAX_FACETS);
}

const MAX_FACETS = 500;

/** Broken pages have no fields. */
function matchesBroken(
  page: BrokenPage,
  { q = "", status, template, lang, parent, tag, author }: ListQuery,
): boolean {
  if (tag !== undefined || author !== undefined) return false;
  if (status !== undefined && status !== "broken") return false;
  if (template !== undefined && page.template !== template) return false;
  if (lang !== undefined && page.lang !== lang) return false;
  if (parent !== undefined && (page.parent ?? TOP) !== parent) return false;
  return page.sourcePath.toLowerCase().includes(q.toLowerCase());
}

function matches(entry: PageEntry, query: ListQuery): boolean {
  const { q = "", status, template, lang, tag, author, since } = query;
  if (tag !== undefined && !termsOf(entry).includes(tag)) return false;
  if (author !== undefined && !authorsOf(entry).includes(author)) return false;
  if (since !== undefined && entry.mtimeMs < Date.parse(since)) return false;
  if (status !== undefined && status !== "broken" && readStatus(entry) !== status) return false;
  if (template !== undefined && entry.template !== template) return false;
  if (lang !== undefined && entry.lang !== lang) return false;
  const text = `${entry.title}\n${entry.route}\n${entry.sourcePath}`.toLowerCase();
  return text.includes(q.toLowerCase());
}

/** The files of each page, in the order of the pages; a page has one file per language. */
function groupLanguages(entries: readonly PageEntry[]): ReadonlyMap<string, readonly PageEntry[]> {
  const groups = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const group = groups.get(pageKey(entry));
    if (group === undefined) groups.set(pageKey(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}

/** The source path without its language and its format, which translations may have of their own. */
function pageKey({ sourcePath, lang }: PageEntry): string {
  const name = sourcePath.replace(/\.[^./]+$/, "");
  return name.endsWith(`.${lang}`) ? name.slice(0, -lang.length - 1) : name;
}

function languageRow(entry: PageEntry) {
  const { lang, sourcePath, title } = entry;
  return { lang, sourcePath, title, status: readStatus(entry) };
}

/** Key of the level above all pages. */
const TOP = "/";

/**
 * Pages by the page above them, in tree order. Pages below a folder without a page belong to the next
 * page above; the home page and pages without one above are at the top.
 */
class PageTree {
  readonly defaultLang: string;
  // Not in site.cache: levels of one generation of the index, which go with it.
  readonly #levels = new WeakMap<Generation, ReadonlyMap<string, readonly PageEntry[]>>();

  constructor(defaultLang: string) {
    this.defaultLang = defaultLang;
  }

  /** The pages below a route, in every language; `/`: those at the top. */
  below(generation: Generation, route: string): readonly PageEntry[] {
    return this.#levelsOf(generation).get(route) ?? [];
  }

  /** True when pages are below it in its language, or with `isAny` in any. */
  hasChildren(generation: Generation, { route, lang }: PageEntry, isAny: boolean): boolean {
    if (route === TOP) return false;
    return this.below(generation, route).some((entry) => isAny || entry.lang === lang);
  }

  #levelsOf(generation: Generation): ReadonlyMap<string, readonly PageEntry[]> {
    const cached = this.#levels.get(generation);
    if (cached !== undefined) return cached;
    const levels = new Map<string, PageEntry[]>();
    for (const entry of generation.entries) {
      const route = this.#above(generation, entry);
      const level = levels.get(route);
      if (level === undefined) levels.set(route, [entry]);
      else level.push(entry);
    }
    this.#levels.set(generation, levels);
    return levels;
  }

  #above(generation: Generation, { parent, lang }: PageEntry): string {
    for (let route = parent ?? TOP; route !== TOP; route = routeAbove(route)) {
      const page = generation.at(route, lang) ?? generation.at(route, this.defaultLang);
      if (page !== undefined) return route;
    }
    return TOP;
  }
}

function routeAbove(route: string): string {
  return route.slice(0, Math.max(0, route.lastIndexOf("/"))) || TOP;
}
