import type { ContentView, PageEntry } from "../content/contract.js";

/** The language requested in the query string. */
export interface ListLanguage {
  lang?: string | undefined;
  fallback: boolean;
}

/**
 * The scope of a feed: the whole site, a section, or the pages with a taxonomy value; in one
 * language.
 */
export type FeedScope = { lang: string; fallback?: boolean } & (
  | { kind: "site" }
  | { kind: "section"; entry: PageEntry }
  | { kind: "taxonomy"; name: string; value: string }
);

/** The languages of a site. */
export interface FeedLanguages {
  readonly supported: readonly string[];
  /** The default one. */
  readonly main: string;
  /** The route prefix of a language; may be empty. */
  prefixOf(lang: string): string;
}

/** The newest dated pages of a scope that the visitor may see, at most `limit`. */
export function feedPages(view: ContentView, scope: FeedScope, limit: number): PageEntry[] {
  const isDated = ({ date, routable }: PageEntry): boolean => date !== null && routable;
  return newestFirst(view, scope).filter(isDated).slice(0, limit);
}

/** The pages of a scope, newest first; pages of the same day by route. */
function newestFirst(view: ContentView, scope: FeedScope): readonly PageEntry[] {
  const { lang, fallback = false } = scope;
  if (scope.kind === "taxonomy")
    return view.taxonomyPages(scope.name, scope.value, { lang, fallback });
  const order = { by: "date", dir: "desc" } as const;
  const all = view.list({ lang, fallback, order, offset: 0, limit: 1_000_000 }).items;
  if (scope.kind === "site") return all;
  const below = scope.entry.route === "/" ? "/" : `${scope.entry.route}/`;
  return all.filter(({ route }) => route.startsWith(below));
}

/** Parses the scope of a feed request; null for any other path. */
export function parseScope(
  view: ContentView,
  path: string,
  languages: FeedLanguages,
): FeedScope | null {
  const { lang, rest } = splitLanguage(path, languages);
  if (rest === "") return { kind: "site", lang };
  const [, name, value] = /^\/taxonomy\/([^/]+)\/(.+)$/.exec(rest) ?? [];
  if (name !== undefined && value !== undefined) {
    const hasPages = view.taxonomyPages(name, value, lang).length > 0;
    return hasPages ? { kind: "taxonomy", name, value, lang } : null;
  }
  const match = view.resolve(path);
  return match.kind === "page" ? { kind: "section", entry: match.entry, lang } : null;
}

/** Feeds of the default language have no prefix, whether or not its pages do. */
function splitLanguage(
  path: string,
  { supported, main, prefixOf }: FeedLanguages,
): { lang: string; rest: string } {
  const first = path.split("/", 2)[1] ?? "";
  const isPrefix = supported.includes(first) && prefixOf(first) !== "";
  return isPrefix
    ? { lang: first, rest: path.slice(first.length + 1) }
    : { lang: main, rest: path };
}
