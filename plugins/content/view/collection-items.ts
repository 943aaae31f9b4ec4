/** Finds the items of a collection: `@self…`, `@page…`, `@taxonomy…`, `@frontmatter`, engines of plugins. */
import {
  expectEach,
  expectKind,
  expectValues,
  type ExtensionList,
  type Extensions,
  FAILED_PART_MS,
  HttpError,
  type SiteContext,
  type ValueCheck,
} from "#kernel";
import type { QuerySource } from "#lib/query";
import type {
  CollectionItem,
  CollectionQuery,
  CollectionSource,
  ContentView,
  PageEntry,
} from "../contract.js";
import { toTerms } from "../read/front-matter/fields.js";
import { isMap } from "../read/front-matter/full-yaml.js";
import { entry } from "../payload-checks.js";
import { normaliseRoute } from "./address.js";
import type { ListLanguage } from "./languages.js";
import type { VisibleLists } from "./visible-lists.js";

/** The lists, view and page that a source has access to. */
export interface CollectionScope {
  lists: VisibleLists;
  language: ListLanguage;
  /** The page that has the collection; null stands for the home page. */
  self: PageEntry | null;
  view: ContentView;
  sources: ReadonlyMap<string, CollectionSource>;
  /** The meaning of the names in the query. */
  names: QuerySource<PageEntry>;
}
type Items = readonly CollectionItem[];
type Pairs = readonly (readonly [name: string, value: unknown])[];

/** `items` as pairs of source and value; a string is `@page.children:/blog` or just a source. */
export function listSources(items: CollectionQuery["items"]): Pairs {
  if (typeof items !== "string")
    return Object.entries(items).filter(([, value]) => value !== false);
  const colon = items.indexOf(":");
  return colon === -1 ? [[items, true]] : [[items.slice(0, colon), items.slice(colon + 1)]];
}

/** The tags that say what the sources read. */
export function sourceTags(pairs: Pairs, self: PageEntry | null): string[] {
  return pairs.flatMap(([name, value]) => {
    const route = Object.hasOwn(listRoute, name) ? listRoute[name]?.(value, self) : undefined;
    if (route !== undefined) return [`list:${route}`];
    return name.startsWith("@taxonomy") ? ["list", "taxonomy"] : ["list"];
  });
}

/** The route whose direct list a source reads; other sources may read all pages. */
const listRoute: Readonly<Record<string, (value: unknown, self: PageEntry | null) => string>> = {
  "@self.children": (_, self) => self?.route ?? "/",
  "@self.modules": (_, self) => self?.route ?? "/",
  "@self.siblings": (_, self) => self?.parent ?? "/",
  "@page.children": (value) => toRoute(value),
  "@page.modules": (value) => toRoute(value),
};

/** True for the sources of the tree, which no plugin replaces. */
export function isOwnSource(name: string): boolean {
  return (
    isTerms(name) ||
    Object.hasOwn(structural, name) ||
    ["@frontmatter", "@page.modules"].includes(name)
  );
}

/** True for sources whose items depend only on the generation, so they can be cached. */
export function isOfTree(pairs: Pairs): boolean {
  return pairs.every(([name]) => isTerms(name) || Object.hasOwn(structural, name));
}

/** The items of sources of the tree; see `isOfTree` and `collectItems`. */
export function treeItems(pairs: Pairs, scope: CollectionScope): Items {
  const pools = pairs.flatMap(([name, value]) => {
    const pool = structural[name]?.(value, scope);
    return pool === undefined ? [] : [pool];
  });
  return underTerms(pools, pairs, scope);
}

/**
 * The items of all sources: structural ones together, taxonomies as a condition on them (AND over
 * names, OR inside one).
 */
export async function collectItems(pairs: Pairs, scope: CollectionScope): Promise<Items> {
  const rest = pairs.filter(([name]) => !isTerms(name));
  const pools = await Promise.all(rest.map(([name, value]) => openPool(name, value, scope)));
  return underTerms(pools, pairs, scope);
}

function isTerms(name: string): boolean {
  return name.startsWith("@taxonomy");
}

/** The items with the terms, from the pools, or from all pages when there are no pools. */
function underTerms(pools: readonly Items[], pairs: Pairs, scope: CollectionScope): Items {
  const terms = pairs.filter(([name]) => isTerms(name));
  const allPairs = terms.flatMap(([name, value]) => termPairs(name, value));
  const tagged: Items[] = allPairs.map(([name, value]) => withTerms(name, value, scope));
  const base = pools.length === 0 ? (tagged.shift() ?? []) : unique(pools.flat());
  return tagged.reduce(intersect, base);
}

async function openPool(name: string, value: unknown, scope: CollectionScope): Promise<Items> {
  const items = Object.hasOwn(structural, name) ? structural[name] : undefined;
  if (items !== undefined) return items(value, scope);
  if (name === "@frontmatter") return listed(value, scope);
  if (name === "@page.modules") return listModules(value, scope);
  const source = scope.sources.get(name);
  if (source !== undefined) return source(value, scope.view);
  const names = [
    ...Object.keys(structural),
    "@page.modules",
    "@taxonomy.<name>",
    "@frontmatter",
    ...scope.sources.keys(),
  ];
  throw new HttpError(
    400,
    `unknown collection source ${JSON.stringify(name)}, expected one of ${names.join(", ")}`,
    { code: "ERR_COLLECTION_SOURCE" },
  );
}

type Structural = (value: unknown, scope: CollectionScope) => Items;

const structural: Readonly<Record<string, Structural>> = {
  "@self.children": (_, { lists, language, self }) => lists.children(language, self?.route ?? "/"),
  "@self.siblings": (_, { lists, language, self }) =>
    lists
      .children(language, self?.parent ?? "/")
      .filter(({ sourcePath }) => sourcePath !== self?.sourcePath),
  // Without `self` the home page is hidden, and with it its modules.
  "@self.modules": (_, { lists, language, self }) =>
    self === null ? [] : lists.modules(language, self.route),
  "@self.descendants": (_, { lists, language, self }) =>
    lists.descendants(language, self?.route ?? "/"),
  "@page.children": (value, { lists, language }) => lists.children(language, toRoute(value)),
  "@page.descendants": (value, { lists, language }) => lists.descendants(language, toRoute(value)),
};

function toRoute(value: unknown): string {
  return normaliseRoute(typeof value === "string" ? value : "/");
}

/** `@taxonomy.tag: value` and `@taxonomy: {tag: value}` alike; `@taxonomy.tag:value` over REST. */
function termPairs(name: string, value: unknown): [string, readonly string[]][] {
  if (name.startsWith("@taxonomy.")) return [[name.slice("@taxonomy.".length), toTerms(value)]];
  return isMap(value) ? Object.entries(value).map(([key, terms]) => [key, toTerms(terms)]) : [];
}

function withTerms(
  name: string,
  values: readonly string[],
  { lists, language }: CollectionScope,
): PageEntry[] {
  const postings = lists.taxonomy(language).get(name);
  return unique(values.flatMap((value) => postings?.get(value) ?? []));
}

/** Modules are as visible as their page at most, so the view looks it up for each viewer. */
function listModules(value: unknown, { language, view }: CollectionScope): Items {
  const page = view.page(toRoute(value), language.lang);
  return page === undefined ? [] : view.modules(page);
}

/** The pages that a front matter field lists, in its order, by route or last segment. */
function listed(field: unknown, { lists, language, self }: CollectionScope): PageEntry[] {
  const value = typeof field === "string" ? self?.frontmatter[field] : undefined;
  const values: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const pages = lists.ordered(language);
  return unique(
    values.flatMap((item) => {
      const name = isMap(item) ? (item.route ?? item.slug) : item;
      if (typeof name !== "string" || name === "") return [];
      const suffix = `/${name.replace(/^\/+/, "")}`;
      const isMatch = name.startsWith("/")
        ? (page: PageEntry) => page.route === normaliseRoute(name)
        : (page: PageEntry) => page.route.endsWith(suffix);
      return pages.find(isMatch) ?? [];
    }),
  );
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

function intersect(left: Items, right: Items): Items {
  const other = new Set(right);
  return left.filter((item) => other.has(item));
}

const areFunctions = expectValues(expectKind("function"));

const areSources: ValueCheck = (sources) => {
  const problem = areFunctions(sources);
  if (problem !== null) return problem;
  for (const key of Object.keys(Object(sources))) {
    if (!key.startsWith("@") || key === "@")
      return `expected keys that begin with "@", received ${JSON.stringify(key)}`;
    if (isOwnSource(key)) return `${JSON.stringify(key)} is a source of the site itself`;
  }
  return null;
};

/** The sources of collections that plugins add. */
export class PluginSources {
  /** By key; filled by `load`. */
  readonly all = new Map<string, CollectionSource>();
  readonly #list: ExtensionList<Extensions["collectionSources"]>;
  readonly #now: () => number;

  constructor(site: Pick<SiteContext, "extensions" | "runtime">) {
    this.#list = site.extensions.open("collectionSources", {
      check: areSources,
      fix: 'name each source with a leading "@" that the site does not use: { "@recent": (value, view) => view.list({ … }).items }',
      result: expectEach(entry),
      isKeyed: true,
    });
    this.#now = () => site.runtime.clock.now();
  }

  /** Takes the sources that all plugins have added. */
  load(): void {
    for (const key of this.#list.keys) {
      const part = this.#list.part(key);
      if (part === undefined) continue;
      // A failed source lists nothing, but only for a while.
      this.all.set(key, (value, view) =>
        part.call(
          (source) => source(value, view),
          () => {
            view.expireAt(this.#now() + FAILED_PART_MS);
            return [];
          },
        ),
      );
    }
  }
}
