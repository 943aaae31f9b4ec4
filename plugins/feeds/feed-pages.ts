import type { ContentView, PageEntry } from "../content/contract.js";

/** The language that the query string asks for. */
export interface ListLanguage {
  lang?: string | undefined;
  fallback: boolean;
}

/** What a feed is about: the whole site, a section, or the pages with a taxonomy value; in one language. */
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
  /** What stands before its routes; empty: nothing. */
  prefixOf(lang: string): string;
}

/** The newest dated pages of a scope, at most `limit`, as the visitor sees them. */
export function feedPages(view: ContentView, scope: FeedScope, limit: number): PageEntry[] {
  const isDated = ({ date, routable }: PageEntry): boolean => date !== null && routable;
  return newestFirst(view, scope).filter(isDated).slice(0, limit);
}

/** The pages of a scope as their lists have them: by date, those of one day by their routes. */
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

/** What a request for a feed at `path` is about; null when there is no such place. */
export function parseScope(
  view: ContentView,
  path: string,
  languages: FeedLanguages,
): FeedScope | null {
  const { lang, place } = splitLanguage(path, languages);
  if (place === "") return { kind: "site", lang };
  const [, name, value] = /^\/taxonomy\/([^/]+)\/([^/]+)$/.exec(place) ?? [];
  if (name !== undefined && value !== undefined) {
    const hasPages = view.taxonomyPages(name, value, lang).length > 0;
    return hasPages ? { kind: "taxonomy", name, value, lang } : null;
  }
  const match = view.resolve(path);
  return match.kind === "page" ? { kind: "section", entry: match.entry, lang } : null;
}

/** The default language's feeds stand without prefix, whatever its pages do. */
function splitLanguage(
  path: string,
  { supported, main, prefixOf }: FeedLanguages,
): { lang: string; place: string } {
  const first = path.split("/", 2)[1] ?? "";
  const isPrefix = supported.includes(first) && prefixOf(first) !== "";
  return isPrefix
    ? { lang: first, place: path.slice(first.length + 1) }
    : { lang: main, place: path };
}
