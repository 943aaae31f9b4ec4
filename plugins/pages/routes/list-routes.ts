import { HttpError, type SiteContext } from "#kernel";
import {
  isTypedQuery,
  pickFields,
  readQuery,
  resolveName,
  type DirectedOrder,
  type QueryName,
  type QueryOrder,
  type QuerySource,
  type QueryText,
} from "#lib/query";
import type { PageEntry, CollectionQuery, ContentView } from "../../content/contract.js";
import { Includes } from "../includes.js";
import { htmlOfModule, toCollectionItem, toListItem, toUnpublishedItem } from "../items.js";
import {
  collectionsQuery,
  listParameters,
  pagesQuery,
  singleTaxonomyValues,
  toListQuery,
  toSource,
} from "../params.js";
import { collectionSchema, errorSchema, listSchema, momentProblems } from "../schemas.js";
import { Fragments, sendList, trace, openView, type Exchange } from "./send.js";
import { singleRoutes } from "./single-routes.js";

/** Routes of `/api/pages` and `/api/collections`. */
export function pageRoutes(site: SiteContext): void {
  const includes = new Includes(site);
  listRoute(site, includes);
  singleRoutes(site, includes);
  collectionRoute(site, includes);
}

function listRoute(site: SiteContext, includes: Includes): void {
  const published = new Fragments(toListItem);
  const unpublished = new Fragments(toUnpublishedItem);
  const language = site.use("content").languages.parameters({ fallback: false });
  const schema = pagesQuery(language, site.settings.site.taxonomies);
  site.http.route({
    method: "get",
    path: "/api/pages",
    summary: "List pages",
    query: schema,
    parameters: listParameters(schema),
    responses: { 200: listSchema, 400: errorSchema, ...momentProblems },
    tool: {
      name: "list_pages",
      description:
        "List pages, the newest first: by template, taxonomy or values of the front matter",
    },
    handler: (req, res, { query: input }) => {
      const many = singleTaxonomyValues(input);
      if (many !== null) throw new HttpError(400, `${many}: expected one value`);
      const query = readQuery(req.ctx.search);
      const order = directed(query.order, (name) => (name === "date" ? "desc" : "asc"));
      const view = openView(site, req);
      const listQuery = { ...toListQuery(input), query: { ...query, order } };
      const shape = resolveShape(query, includes, () => view.names(listQuery));
      const list = view.list(listQuery);
      const { items, total, offset } = list;
      const { limit } = listQuery;
      const meta = {
        total,
        page: Math.floor(offset / limit) + 1,
        pages: Math.ceil(total / limit),
        limit,
        ...(isBeyondPlain(query, order) && { nextCursor: list.nextCursor }),
      };
      const fragments = listQuery.published === false ? unpublished : published;
      return sendItems(site, { req, res, view }, { shape, includes, items, fragments, meta });
    },
  });
}

function collectionRoute(site: SiteContext, includes: Includes): void {
  const fragments = new Fragments(toCollectionItem);
  const language = site.use("content").languages.parameters({ fallback: false });
  site.http.route({
    method: "get",
    path: "/api/collections",
    summary: "List a collection",
    query: collectionsQuery(language),
    responses: { 200: collectionSchema, 400: errorSchema, ...momentProblems },
    handler: async (req, res, { query: input }) => {
      const query = readQuery(req.ctx.search);
      const order = directed(query.order, () => input.dir);
      const view = openView(site, req);
      const { limit, offset, template, fallback } = input;
      const source = resolveSource(site, view, input);
      const shape = resolveShape(query, includes, () =>
        view.names({ fallback, lang: source.lang, ...(template !== undefined && { template }) }),
      );
      const collection = await view.collection(
        {
          ...source,
          fallback,
          limit,
          offset,
          query: { ...query, order },
          ...(template !== undefined && { filter: { template } }),
        },
        null,
      );
      const { items, total, page, pages, hasNext, hasPrev, nextCursor = null } = collection;
      const meta = {
        total,
        page,
        pages,
        limit,
        hasNext,
        hasPrev,
        ...(isBeyondPlain(query, order) && { nextCursor }),
      };
      return sendItems(site, { req, res, view }, { shape, includes, items, fragments, meta });
    },
  });
}

/** True for a query that says more than a list by date, title or order: its response has a cursor. */
function isBeyondPlain(query: QueryText, [first]: readonly QueryOrder[]): boolean {
  return isTypedQuery(query) || !["date", "title", "order"].includes(first?.name ?? "");
}

/** The query parameters that select the source of a collection. */
interface SourceQuery {
  source: string;
  lang?: string | undefined;
}

/**
 * The items and the language of a collection. The page is percent-encoded with a language prefix, which
 * sets the language of the collection unless `lang` overrides it.
 * @throws HttpError 404 for a page that is absent, 400 for a taxonomy that is not configured.
 */
function resolveSource(
  site: SiteContext,
  view: ContentView,
  query: SourceQuery,
): { items: CollectionQuery["items"]; lang: string } {
  const { addresses, languages } = site.use("content");
  const { name, value } = toSource(query.source);
  const language = query.lang ?? languages.main;
  if (value === null) return { items: { [name]: true }, lang: language };
  if (name.startsWith("@taxonomy.")) {
    const taxonomy = name.slice("@taxonomy.".length);
    if (!site.settings.site.taxonomies.includes(taxonomy)) {
      const shown = JSON.stringify(taxonomy);
      throw new HttpError(400, `source: taxonomy ${shown} is not defined in site.yaml`);
    }
    return { items: { [name]: value }, lang: language };
  }
  const address = addresses.parse(value);
  const lang = query.lang ?? address.lang ?? languages.main;
  const page = view.page(address.route, address.lang ?? lang) ?? view.page(address.route, lang);
  if (page === undefined) throw new HttpError(404, "Not found");
  return { items: { [name]: translateRoute(view, page, lang) }, lang };
}

/** The route of the page's translation, if any. */
function translateRoute(view: ContentView, page: PageEntry, lang: string): string {
  if (page.lang === lang) return page.route;
  const translation = view.translations(page).find((other) => other.lang === lang);
  return translation?.entry.route ?? page.route;
}

/** The order with all directions; `fallback`: those of keys without one. */
export function directed(
  order: readonly QueryOrder[],
  fallback: (name: string) => "asc" | "desc",
): DirectedOrder[] {
  const keys = order.length === 0 ? [{ name: "date", dir: null }] : order;
  return keys.map(({ name, dir }) => ({ name, dir: dir ?? fallback(name) }));
}

/** The keys that items show beside or instead of their usual ones. */
interface Shape {
  readonly fields: readonly QueryName<PageEntry>[] | null;
  readonly include: readonly string[];
}

/** The shape that a query asks for. @throws HttpError 400 for an unknown name. */
function resolveShape(
  { fields, include }: Pick<QueryText, "fields" | "include">,
  includes: Includes,
  namesOf: () => QuerySource<PageEntry>,
): Shape {
  for (const name of include) includes.assertName(name);
  if (fields === null) return { fields, include };
  const names = namesOf();
  // `fields=title,summary`: an include, unless pages have such a key.
  const added = fields.filter(
    (name) => includes.has(name) && names.find(name, "fields") === undefined,
  );
  const pageFields = fields.filter((name) => !added.includes(name));
  return {
    fields: pageFields.map((name) => resolveName(names, name, "fields")),
    include: [...new Set([...include, ...added])],
  };
}

/** The items of a response, and the keys that they show. */
interface ShapedList {
  readonly items: readonly PageEntry[];
  readonly shape: Shape;
  readonly includes: Includes;
  /** Whole items. */
  readonly fragments: Fragments<PageEntry>;
  readonly meta: Record<string, unknown>;
}

/** Sends the items; at once if they are whole. */
function sendItems(site: SiteContext, exchange: Exchange, list: ShapedList): unknown {
  const { items: entries, shape, fragments, meta } = list;
  const isWhole = shape.fields === null && shape.include.length === 0;
  const hasModules = entries.some(({ isModule }) => isModule);
  if (isWhole && !hasModules) return sendList(site, exchange, { fragments, found: entries, meta });
  return sendShaped(site, exchange, list);
}

async function sendShaped(
  site: SiteContext,
  { req, res, view }: Exchange,
  { items: entries, shape, includes, fragments, meta }: ShapedList,
): Promise<unknown> {
  const { fields, include } = shape;
  const items: unknown[] = [];
  for (const entry of entries) {
    const item =
      fields === null
        ? { ...fragments.item(entry), ...(await htmlOfModule(site, view, entry)) }
        : pickFields(entry, fields);
    const added = include.length === 0 ? {} : await includes.loadValues(include, entry, view);
    items.push({ ...item, ...added });
  }
  return site.http.json(req, res, { items, meta }, trace(view));
}
