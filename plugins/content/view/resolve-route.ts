/** Resolves request paths: pages, aliases, redirects, `/page:N`, in every language. */
import { toLocation, toUrl, type LanguageRules } from "./address.js";
import type { PageEntry, PageMatch, RouteMatch } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import { isMap } from "../read/front-matter/full-yaml.js";
import { StandIns } from "./stand-ins.js";
import { parseFolderName } from "../read/source-name.js";
import type { RedirectTable } from "./redirects.js";

/** The routing part of the configuration, prepared once. */
export interface RouteRules extends LanguageRules {
  redirects: RedirectTable;
  redirectStatus: 301 | 302;
  /** Alias to route. */
  routes: ReadonlyMap<string, string>;
}
/** A viewer's access to a page. */
export type Access = "open" | "hidden" | "login" | "role";
/** Dependencies of resolving. */
export interface RouteContext {
  index: ContentIndex;
  rules: RouteRules;
  access(entry: PageEntry): Access;
  /** Records a dependency of the response. */
  note(tag: string): void;
}

interface Wanted {
  /** Without language prefix, trailing slash and page number. */
  route: string;
  lang: string;
  pageNumber: number;
  /** False when the page has another canonical address. */
  isCanonical: boolean;
}
const none: RouteMatch = { kind: "none" };
const MAX_PATH_LENGTH = 4096;

/** Resolves a decoded path with its raw query. The page is at most one redirect away. */
export function resolveRoute(path: string, context: RouteContext, search = ""): RouteMatch {
  const clean = path.normalize("NFC");
  if (!clean.startsWith("/") || clean.length > MAX_PATH_LENGTH || clean.includes("//")) return none;
  const trimmed = clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
  const { redirects, redirectStatus } = context.rules;
  const configured = redirects.match(trimmed, search);
  if (configured !== null) {
    const { to, search: rest } = configured;
    const match = { kind: "redirect", to, status: redirectStatus } as const;
    return rest === undefined ? match : { ...match, search: rest };
  }
  const request = parsePath(trimmed, context.rules);
  const isCanonical = request.isCanonical && trimmed === clean;
  context.note(`route:${request.route}`);
  return canonical(matchRoute(request, context), { ...request, isCanonical }, context);
}

/** The address of a page of a list, and its number: the first page has the address of the list. */
export const NUMBERED = /^(.*)\/page:([1-9]\d{0,6})$/s;

function parsePath(path: string, rules: RouteRules): Wanted {
  const numbered = NUMBERED.exec(path);
  const base = numbered === null ? path : numbered[1] || "/";
  const pageNumber = numbered === null ? 1 : Number(numbered[2]);
  const { route, lang, isCanonical } = splitLanguage(base, rules);
  return {
    route,
    lang,
    pageNumber,
    isCanonical: isCanonical && (numbered === null || pageNumber > 1),
  };
}

function splitLanguage(path: string, rules: RouteRules): Omit<Wanted, "pageNumber"> {
  const { languages, defaultLanguage, includeDefaultInUrl } = rules;
  if (languages.length < 2) return { route: path, lang: defaultLanguage, isCanonical: true };
  const first = path.split("/", 2)[1] ?? "";
  if (!languages.includes(first)) {
    return { route: path, lang: defaultLanguage, isCanonical: !includeDefaultInUrl };
  }
  const isCanonical = first !== defaultLanguage || includeDefaultInUrl;
  return { route: path.slice(first.length + 1) || "/", lang: first, isCanonical };
}

function canonical(match: RouteMatch, request: Wanted, { rules }: RouteContext): RouteMatch {
  if (match.kind !== "page") return match;
  if (request.pageNumber > 1 && !isPaginated(match.entry)) return none;
  if (request.isCanonical) return match;
  const url = toUrl(request.route, request.lang, rules);
  const suffix =
    request.pageNumber > 1 ? `${url === "/" ? "" : "/"}page:${request.pageNumber}` : "";
  return betterAddress(url + suffix, match);
}

function matchRoute(request: Wanted, context: RouteContext): RouteMatch {
  const { index, rules } = context;
  const { route, lang } = request;
  const target = rules.routes.get(route);
  const ways: (() => RouteMatch | null)[] = [
    () => reach(index.at(route, lang), request, context),
    () => ownRouteOfHome(request, context),
    () => fallback(index.at(route, rules.defaultLanguage), request, context),
    () => reach(target === undefined ? undefined : index.at(target, lang), request, context),
    () => reach(index.alias(route, lang), request, context),
    () =>
      fallback(
        target === undefined ? undefined : index.at(target, rules.defaultLanguage),
        request,
        context,
      ),
    () => fallback(index.alias(route, rules.defaultLanguage), request, context),
  ];
  for (const way of ways) {
    const match = way();
    if (match !== null) return match;
  }
  return none;
}

/** The match of an entry; null when it is hidden from the viewer. */
function reach(
  entry: PageEntry | undefined,
  request: Wanted,
  context: RouteContext,
): RouteMatch | null {
  if (entry === undefined) return null;
  context.note(`page:${entry.sourcePath}`);
  const access = context.access(entry);
  if (access === "hidden") return null;
  const { lang, pageNumber } = request;
  if (access !== "open") return { kind: "gated", entry, lang, need: access };
  const to = readRedirect(entry);
  if (to !== null) return { kind: "redirect", to, status: context.rules.redirectStatus };
  return { kind: "page", entry: chooseShown(entry, lang, context), lang, pageNumber };
}

/** The entry, or the one that replaces a missing translation. */
function chooseShown(entry: PageEntry, lang: string, { index, rules }: RouteContext): PageEntry {
  return entry.lang === lang ? entry : new StandIns(index, rules).entry(entry, lang);
}

/** The redirect target in the front matter of a page; null without one. */
export function readRedirect({ frontmatter, url }: PageEntry): string | null {
  const { redirect } = frontmatter;
  const to = typeof redirect === "string" ? toLocation(redirect) : null;
  return to === url ? null : to;
}

/**
 * The redirect target of a page, from its front matter or from `redirects` at its address; null
 * without one. Redirected pages are not listed.
 */
export function redirectOf(entry: PageEntry, { redirects }: RouteRules): string | null {
  const redirect = readRedirect(entry);
  if (redirect !== null || redirects.size === 0) return redirect;
  return redirects.match(decodeURIComponent(entry.url))?.to ?? null;
}

/** The default language's page, or a redirect to its translation when that has its own route. */
function fallback(
  entry: PageEntry | undefined,
  request: Wanted,
  context: RouteContext,
): RouteMatch | null {
  const { index, rules } = context;
  if (request.lang === rules.defaultLanguage || entry === undefined) return null;
  // A translation may be added with its own route.
  context.note("list");
  const translated = index.translations(entry).find(({ lang }) => lang === request.lang);
  if (translated !== undefined && translated.routable && context.access(translated) === "open") {
    context.note(`page:${translated.sourcePath}`);
    const page = reach(translated, request, context);
    return page?.kind === "page" ? betterAddress(translated.url, page) : page;
  }
  return reach(entry, request, context);
}

/** Redirects to the canonical address of the page. */
function betterAddress(to: string, page: PageMatch): RouteMatch {
  return { kind: "redirect", to, status: 301, page };
}

/** Redirects `/home` to `/`. */
function ownRouteOfHome({ route, lang }: Wanted, context: RouteContext): RouteMatch | null {
  const { index, rules } = context;
  const home = index.at("/", lang) ?? index.at("/", rules.defaultLanguage);
  if (home === undefined || home.folder === "" || route !== routeOfName(home.folder)) return null;
  context.note(`page:${home.sourcePath}`);
  if (index.placed.get(home.sourcePath)?.place.isFolderPage !== true) return null;
  if (context.access(home) !== "open") return null;
  const entry = chooseShown(home, lang, context);
  const page: PageMatch = { kind: "page", entry, lang, pageNumber: 1 };
  return betterAddress(toUrl("/", lang, rules), page);
}

function routeOfName(folder: string): string {
  return `/${folder
    .split("/")
    .map((name) => parseFolderName(name).slug)
    .join("/")}`;
}

function isPaginated({ frontmatter }: PageEntry): boolean {
  const several = isMap(frontmatter.collections) ? Object.values(frontmatter.collections) : [];
  return [frontmatter.collection, ...several].some(
    (query) => isMap(query) && Boolean(query.pagination),
  );
}
