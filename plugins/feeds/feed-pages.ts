import type { ContentView, PageEntry } from "../content/contract.js";

/** What a feed is about: the whole site, a section, or the pages with a taxonomy value. */
export type FeedScope =
  | { kind: "site" }
  | { kind: "section"; entry: PageEntry }
  | { kind: "taxonomy"; name: string; value: string };

/** The newest dated pages of a scope, at most `limit`, as an anonymous visitor sees them. */
export function feedPages(view: ContentView, scope: FeedScope, limit: number): PageEntry[] {
  const pages = pagesOf(view, scope).filter(({ date, routable }) => date !== null && routable);
  return pages.toSorted(newestFirst).slice(0, limit);
}

function pagesOf(view: ContentView, scope: FeedScope): readonly PageEntry[] {
  if (scope.kind === "taxonomy") return view.taxonomyPages(scope.name, scope.value);
  const all = view.list({ order: { by: "date", dir: "desc" }, offset: 0, limit: 1_000_000 }).items;
  if (scope.kind === "site") return all;
  const below = scope.entry.route === "/" ? "/" : `${scope.entry.route}/`;
  return all.filter(({ route }) => route.startsWith(below));
}

function newestFirst(a: PageEntry, b: PageEntry): number {
  if (a.date !== b.date) return (a.date ?? "") < (b.date ?? "") ? 1 : -1;
  return a.route < b.route ? -1 : 1;
}

/** What a request for a feed below the site's root is about; null when there is no such place. */
export function parseScope(view: ContentView, path: string): FeedScope | null {
  if (path === "") return { kind: "site" };
  const [, name, value] = /^\/taxonomy\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (name !== undefined && value !== undefined) {
    return view.taxonomyPages(name, value).length > 0 ? { kind: "taxonomy", name, value } : null;
  }
  const match = view.resolve(path);
  return match.kind === "page" ? { kind: "section", entry: match.entry } : null;
}
