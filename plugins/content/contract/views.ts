/** The tree as one viewer sees it: routes, lists, navigation, collections. */
import type { QueryResult, QuerySource, TableQuery } from "#lib/query";
import type { Page, Viewer } from "./moments.js";
import type { PageEntry } from "./pages.js";

/** A node of the navigation. */
export interface NavItem {
  route: string;
  /** Address of the route in the navigation's language, percent-encoded. */
  url: string;
  title: string;
  /** Null for a page without an order: it comes last. */
  order: number | null;
  depth: number;
  template: string;
  /** With `fallback`: the language of the page that replaces a missing translation. */
  lang?: string;
  fallback?: true;
  children?: NavItem[];
}

/** The page of a request path; `lang` is the language of the path. */
export interface PageMatch {
  kind: "page";
  entry: PageEntry;
  lang: string;
  pageNumber: number;
}

/** The result of resolving a request path. */
export type RouteMatch =
  | PageMatch
  /**
   * `page` is set when the page exists and `to` is its canonical address. `search`: the part of the
   * query that `to` gets, without the parameters that the redirect matched; absent: the whole query.
   */
  | { kind: "redirect"; to: string; status: 301 | 302; page?: PageMatch; search?: string }
  | { kind: "gated"; entry: PageEntry; lang: string; need: "login" | "role" }
  | { kind: "none" };

/** A collection query (front matter `collection`, REST `/api/collections`). */
export interface CollectionQuery {
  /** `@self.children`, `@page.children`, `@taxonomy.tag`, `@flex`, `@frontmatter`, … with its value. */
  items: Readonly<Record<string, unknown>> | string;
  filter?: Readonly<Record<string, unknown>>;
  order?: { by?: string; dir?: "asc" | "desc" };
  limit?: number;
  offset?: number;
  pagination?: { size: number } | null;
  /** Conditions, order and cursor of the query language; they replace `order` and `pagination`. */
  query?: TableQuery;
  /** Default: the language of the page that defines the collection. */
  lang?: string;
  /** Show pages of the default language where a translation is missing; default true. */
  fallback?: boolean;
}

/** An item of a collection: a page entry, or a row of another source shaped like one. */
export type CollectionItem = PageEntry;

/** A resolved collection. `total` counts before slicing. */
export interface Collection {
  readonly items: readonly CollectionItem[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
  /** Start of the next part of a `query`; null after the last one. */
  readonly nextCursor?: string | null;
}

/** Filters of a page list. */
export interface ListQuery {
  template?: string;
  /** false lists unpublished pages, but only for viewers with access to them. */
  published?: boolean;
  taxonomy?: Readonly<Record<string, string>>;
  order?: { by: "date" | "title" | "order" | "route"; dir: "asc" | "desc" };
  /** More conditions, the order and the cursor, in the query language; they replace `order`. */
  query?: TableQuery;
  lang?: string;
  /** Show pages of the default language where a translation is missing; default false. */
  fallback?: boolean;
  offset: number;
  limit: number;
}

/**
 * The language of a list. Navigation, children and collections of a page fall back to the default
 * language where a translation is missing; filtered lists do not. `fallback` overrides this. Without a
 * language, the default language is used.
 */
export type LanguageChoice =
  string | { readonly lang?: string | undefined; readonly fallback?: boolean | undefined };

/**
 * The tree as one viewer sees it: the single visibility gate. Every method records its dependencies
 * in `reads`, so that a response knows what it was rendered from.
 */
export interface ContentView {
  readonly viewer: Viewer;
  readonly reads: Set<string>;
  /** True once something was seen that an anonymous visitor would not see. */
  readonly personal: boolean;
  /** Unix ms at which the schedule shows or hides a page read so far; null: never. */
  readonly expiresAt: number | null;
  canSee(entry: PageEntry): boolean;
  /**
   * Resolves a request path (decoded, with language prefix): home, aliases, redirects, `/page:2`. Only
   * redirects with a query, such as `/?p=12`, depend on `search` (raw, without `?`).
   */
  resolve(path: string, search?: string): RouteMatch;
  /** The visible page at a route, with fallback to the default language. */
  page(route: string, lang?: string): PageEntry | undefined;
  /** @throws HttpError 400 for an unknown name or an invalid value of `query.query` */
  list(query: ListQuery): QueryResult<PageEntry>;
  /** The meaning of names in queries of a list. Only keys of pages that the viewer sees are known. */
  names(
    query: Pick<ListQuery, "published" | "lang" | "fallback" | "template">,
  ): QuerySource<PageEntry>;
  /** Every listed page, by route: the same array until the tree, or what the viewer may see, changes. */
  all(query: Pick<ListQuery, "published" | "lang" | "fallback">): readonly PageEntry[];
  /**
   * True for a page that belongs in lists, search, feeds and sitemaps: the viewer may see it, it has a
   * route, and its address does not redirect.
   */
  isListed(entry: PageEntry): boolean;
  children(route: string, language?: LanguageChoice): readonly PageEntry[];
  /**
   * The visible modules of a page, in tree order; of the default language where a translation is
   * missing. None for a page that the viewer cannot see.
   */
  modules(page: PageEntry): readonly PageEntry[];
  /** Limits how long what was read stays valid: `expiresAt` is at most `time` (Unix ms). */
  expireAt(time: number): void;
  nav(language?: LanguageChoice): readonly NavItem[];
  /** The same pages as a tree: `children` on every item; pages of hidden parents move up. */
  navTree(language?: LanguageChoice): readonly NavItem[];
  /** Name to value to number of visible pages. */
  taxonomies(language?: LanguageChoice): Readonly<Record<string, Readonly<Record<string, number>>>>;
  taxonomyPages(name: string, value: string, language?: LanguageChoice): readonly PageEntry[];
  /** Resolves a collection for a page (`self` null: the home page). @throws ERR_COLLECTION_SOURCE */
  collection(query: CollectionQuery, self: PageEntry | null, page?: number): Promise<Collection>;
  /** Source, body and media of a visible page; media discovery fires onMediaDiscovered. */
  load(entry: PageEntry): Promise<Page>;
  /** The languages in which this page is shown: its own, and those where it replaces a missing translation. */
  readers(entry: PageEntry): readonly string[];
  /** All languages of the page, its own included; empty on a site with one language. */
  translations(entry: PageEntry): readonly { lang: string; url: string; entry: PageEntry }[];
}

/** A collection source that is not the tree's own (`@flex`). */
export type CollectionSource = (value: unknown, view: ContentView) => Promise<Items> | Items;

/** The items of a collection, in order. */
type Items = readonly CollectionItem[];
