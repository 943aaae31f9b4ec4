import { HttpError, type Answer, type SiteSettings } from "#kernel";
import type { ContentView, PageEntry } from "../../content/contract.js";
import type { ListingView, PageRequest } from "../contract.js";
import type { RenderContext, Scope } from "../page/render-context.js";

const PAGE_SIZE = 12;
const NUMBERED = /^(.*)\/page:([2-9]|[1-9]\d{1,6})$/s;

/** Input of one list. */
interface ListingRequest {
  context: RenderContext;
  view: ContentView;
  lang: string;
  /** Without language prefix and page number. */
  route: string;
  pageNumber: number;
}

/** Serves the lists of terms, authors and years, at addresses that no page has. */
export function mountListings(context: RenderContext): void {
  const { site } = context;
  if (!hasListings(site.settings.site.theme)) return;
  site.http.use("pages", async (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const answer = await listingAnswer(context, req);
    if (answer === null) next();
    else site.http.send(req, res, answer);
  });
}

async function listingAnswer(context: RenderContext, req: PageRequest): Promise<Answer | null> {
  const { site, content } = context;
  const numbered = NUMBERED.exec(req.ctx.path);
  const path = numbered?.[1] ?? req.ctx.path;
  const { lang, route } = splitLanguage(context, path);
  const place = listingPlace(route, site.settings.site.taxonomies);
  if (place === null) return null;
  const view = content.view(req.ctx.state.viewer);
  const pageNumber = Number(numbered?.[2] ?? 1);
  const listing = await loadListing({ context, view, lang, route, pageNumber }, place);
  if (listing === null) return null;
  const { collection } = listing;
  if (pageNumber > (collection?.pages ?? 1)) throw new HttpError(404, "not found");
  return site.use("render").renderTemplate(
    req,
    "listing",
    { listing, collection },
    {
      title: (t) => listingTitle(listing, t),
      cache: { tags: view.reads },
      languageOf: req.ctx.path,
      view,
    },
  );
}

function splitLanguage({ site, content }: RenderContext, path: string) {
  const { supported, default: main } = site.settings.system.languages;
  const first = path.split("/")[1] ?? "";
  const lang = supported.includes(first) ? first : main;
  const prefix = content.addresses.prefixOf(lang);
  return { lang, route: prefix === "" ? path : path.slice(prefix.length) };
}

async function loadListing(
  request: ListingRequest,
  place: ListingPlace,
): Promise<ListingView | null> {
  const { view, lang } = request;
  const base = {
    kind: place.kind,
    name: "",
    value: "",
    terms: [],
    years: [],
    collection: undefined,
  };
  if (place.kind === "terms") {
    const terms = countTerms(request, place.name);
    return terms.length === 0 ? null : { ...base, name: place.name, terms };
  }
  if (place.kind === "archive") {
    const years = groupByYear(dated(view, lang));
    return years.length === 0 ? null : { ...base, years };
  }
  const found =
    place.kind === "term"
      ? {
          name: place.name,
          value: place.value,
          entries: withTerm(request, place.name, place.value),
        }
      : byAuthor(request, place.value);
  if (found === null || found.entries.length === 0) return null;
  const { entries, ...named } = found;
  const collection = await request.context.collections.list(view, {
    entries,
    size: PAGE_SIZE,
    pageNumber: request.pageNumber,
    url: request.context.shared.of(request.context.theme(), lang).href(request.route),
  });
  return { ...base, ...named, collection };
}

function withTerm(
  { view, lang }: ListingRequest,
  name: string,
  value: string,
): readonly PageEntry[] {
  const pages = view.taxonomyPages(name, value, lang).filter((page) => view.isListed(page));
  // Dated pages come first, the newest at the top.
  return pages.toSorted((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
}

function countTerms({ context, view, lang }: ListingRequest, name: string): ListingView["terms"] {
  const { href } = context.shared.of(context.theme(), lang);
  const counts = Object.entries(view.taxonomies(lang)[name] ?? {});
  return counts
    .map(([value, count]) => ({ value, count, url: href(`/${name}/${value}`) }))
    .toSorted((a, b) => a.value.localeCompare(b.value, lang));
}

/** The articles with an `author` of this slug; the name as the newest of them spells it. */
function byAuthor({ view, lang }: ListingRequest, slug: string) {
  const route = `/author/${slug}`;
  const entries = dated(view, lang).filter((entry) => isBy(entry, route));
  const author = entries
    .flatMap((entry) => authorsOf(entry))
    .find((name) => authorRoute(name) === route);
  return author === undefined ? null : { name: "author", value: author, entries };
}

function isBy(entry: PageEntry, route: string): boolean {
  return authorsOf(entry).some((name) => authorRoute(name) === route);
}

/** The names in `author` of the front matter: one, or a list. */
export function authorsOf({ frontmatter: { author } }: Pick<PageEntry, "frontmatter">): string[] {
  const list: unknown[] = Array.isArray(author) ? author : [author];
  const names = list.flatMap((one) => (typeof one === "string" ? one.trim() : []));
  return [...new Set(names)].filter((name) => name !== "");
}

function dated(view: ContentView, lang: string): readonly PageEntry[] {
  const order = { by: "date", dir: "desc" } as const;
  const { items } = view.list({ lang, order, offset: 0, limit: Number.MAX_SAFE_INTEGER });
  return items.filter(({ date, routable }) => date !== null && routable);
}

function groupByYear(entries: readonly PageEntry[]): ListingView["years"] {
  const years = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const year = (entry.date ?? "").slice(0, 4);
    const list = years.get(year) ?? [];
    list.push(entry);
    years.set(year, list);
  }
  return [...years].map(([year, list]) => ({
    year,
    pages: list.map(({ title, url, date }) => ({ title, url, date: date ?? "" })),
  }));
}

function listingTitle(
  { kind, name, value }: ListingView,
  t: (key: string, fallback?: string) => string,
) {
  if (kind === "archive") return t("listing.archive", "Archive");
  if (kind === "terms") return t(`listing.taxonomy.${name}`, name);
  return value;
}

/** The lists that no file describes: of a term, of all terms of a taxonomy, of an author, of all years. */
type ListingPlace =
  | { kind: "term"; name: string; value: string }
  | { kind: "terms"; name: string }
  | { kind: "author"; value: string }
  | { kind: "archive" };

type ThemeSettings = SiteSettings["theme"];

/** True when the site has pages for terms, authors and years: with the presets `docs` and `blog`. */
export function hasListings({ preset, listings }: ThemeSettings): boolean {
  return listings ?? (preset === "docs" || preset === "blog");
}

/** A list, as a template names it. */
interface ListingName {
  /** A taxonomy, or `archive`. */
  readonly name: string;
  /** A term of the taxonomy; absent: the list of all terms. */
  readonly term?: string | undefined;
  /** Default: the language of the page. */
  readonly lang?: string | undefined;
}

/** Address of a list that has pages; null for one that would be empty, and on a site without lists. */
export function listingUrl(
  context: RenderContext,
  { view, theme, lang: main }: Pick<Scope, "view" | "theme" | "lang">,
  { name, term, lang = main }: ListingName,
): string | null {
  const { theme: settings, taxonomies } = context.site.settings.site;
  if (!hasListings(settings)) return null;
  const counts = taxonomies.includes(name) ? (view.taxonomies(lang)[name] ?? {}) : null;
  const isThere =
    counts === null
      ? name === "archive" && term === undefined && dated(view, lang).length > 0
      : term === undefined
        ? Object.keys(counts).length > 0
        : Object.hasOwn(counts, term);
  const route = term === undefined ? `/${name}` : `/${name}/${term}`;
  // A page of the site may be there instead.
  const isPage = !isThere && view.page(route, lang)?.routable === true;
  return isThere || isPage ? context.shared.of(theme, lang).href(route) : null;
}

/** Address of the list of articles by an author; null when it would be empty, and on a site without lists. */
export function authorUrl(
  context: RenderContext,
  { view, theme, lang }: Pick<Scope, "view" | "theme" | "lang">,
  author: string,
): string | null {
  if (!hasListings(context.site.settings.site.theme)) return null;
  const route = authorRoute(author);
  const hasArticles = dated(view, lang).some((entry) => isBy(entry, route));
  return hasArticles ? context.shared.of(theme, lang).href(route) : null;
}

/** The list at a route without language prefix; null for any other route. */
function listingPlace(route: string, taxonomies: readonly string[]): ListingPlace | null {
  const [first = "", ...more] = route.slice(1).split("/");
  // A term may contain a slash.
  const value = more.join("/");
  if (taxonomies.includes(first)) {
    if (more.length === 0) return { kind: "terms", name: first };
    return value === "" ? null : { kind: "term", name: first, value };
  }
  if (first === "author" && more.length === 1 && value !== "") return { kind: "author", value };
  return route === "/archive" ? { kind: "archive" } : null;
}

/** Route of the pages by an author. */
export function authorRoute(author: string): string {
  const slug = author
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join("-");
  return `/author/${slug}`;
}
