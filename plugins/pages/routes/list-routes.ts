import { HttpError, type SiteContext } from "#kernel";
import {
  isTypedQuery,
  readQuery,
  type QueryText,
  type TableQuery,
  pickFields,
  resolveName,
  type QueryName,
  type QueryOrder,
  type QueryResult,
} from "#lib/query";
import type { ListQuery, PageEntry, CollectionQuery, ContentView } from "../../content/contract.js";
import { Includes } from "../includes.js";
import {
  toItemsWithHtml,
  htmlOfModule,
  toCollectionItem,
  toListItem,
  toUnpublishedItem,
} from "../items.js";
import { PageTables, type PageNames } from "../page-tables.js";
import {
  collectionsQuery,
  isListOrder,
  listParameters,
  pagesQuery,
  singleTaxonomyValues,
  toCollectionQuery,
  toListQuery,
  toSource,
} from "../params.js";
import { collectionSchema, errorSchema, listSchema, momentProblems } from "../schemas.js";
import { Fragments, sendList, trace, viewOf, type Exchange } from "./send.js";
import { singleRoutes } from "./single-routes.js";

/** Dependencies that the routes of lists share. */
interface ListDependencies {
  readonly includes: Includes;
  readonly tables: PageTables;
}

/** Routes of `/api/pages` and `/api/collections`. */
export function pageRoutes(site: SiteContext): void {
  const includes = new Includes(site);
  const tables = new PageTables(site);
  listRoute(site, { includes, tables });
  singleRoutes(site, includes);
  collectionRoute(site, { includes, tables });
}

function listRoute(site: SiteContext, { includes, tables }: ListDependencies): void {
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
    handler: (req, res, { query: given }) => {
      const many = singleTaxonomyValues(given);
      if (many !== null) throw new HttpError(400, `${many}: expected one value`);
      const query = readQuery(req.ctx.search);
      const view = viewOf(site, req);
      const order = directed(query.order, (name) => (name === "date" ? "desc" : "asc"));
      const { name: by = "", dir } = order[0] ?? {};
      const isPlain = !isTypedQuery(query) && isListOrder(by);
      const wanted = toListQuery(given, isPlain && dir ? { by, dir } : undefined);
      const fragments = wanted.published === false ? unpublished : published;
      const { limit, offset } = wanted;
      if (isPlain) {
        const { items: found, total } = view.list(wanted);
        const meta = { total, ...pageNumbers(offset, limit, total), limit };
        return sendList(site, { req, res, view }, { fragments, found, meta });
      }
      return sendPages(
        site,
        { req, res, view },
        { includes, tables, query: { ...query, order }, wanted, fragments },
      );
    },
  });
}

/** A list of pages that a query selects from. */
interface PagesRequest extends ListDependencies {
  readonly query: QueryText & Pick<TableQuery, "order">;
  /** The selection by plain parameters. */
  readonly wanted: ListQuery;
  readonly fragments: Fragments<PageEntry>;
}

/** Sends the pages of a query. */
function sendPages(
  site: SiteContext,
  exchange: Exchange,
  { includes, tables, query, wanted, fragments }: PagesRequest,
): Promise<unknown> {
  const { view } = exchange;
  const { limit, offset, template, taxonomy = {} } = wanted;
  const names = tables.names(view, wanted);
  const shape = shapeOf(query, names, includes);
  const plain = Object.entries(taxonomy).map(([name, value]) =>
    plainCondition(`taxonomy.${name}`, value),
  );
  if (template !== undefined) plain.push(plainCondition("template", template));
  const whole = { ...query, all: [...plain, ...query.all] };
  const result = tables.of(view.all(wanted), names).select(whole, { offset, limit }, names);
  const meta = { total: result.total, ...pageNumbers(result.offset, limit, result.total), limit };
  return sendQueried(site, exchange, { shape, includes, result, fragments, meta });
}

function collectionRoute(site: SiteContext, { includes, tables }: ListDependencies): void {
  const fragments = new Fragments(toCollectionItem);
  const language = site.use("content").languages.parameters({ fallback: false });
  site.http.route({
    method: "get",
    path: "/api/collections",
    summary: "List a collection",
    query: collectionsQuery(language),
    responses: { 200: collectionSchema, 400: errorSchema, ...momentProblems },
    handler: async (req, res, { query: given }) => {
      const query = readQuery(req.ctx.search);
      const view = viewOf(site, req);
      const { limit, offset, template, dir } = given;
      const order = directed(query.order, () => dir);
      const by = order[0]?.name ?? "";
      const source = resolveSource(site, view, given);
      const wanted = toCollectionQuery(given, source, { by, dir: order[0]?.dir ?? dir });
      const numbers = (total: number, from: number) => ({
        total,
        ...pageNumbers(from, limit, total),
        limit,
        hasNext: from + limit < total,
        hasPrev: from > 0,
      });
      if (!isTypedQuery(query) && isListOrder(by)) {
        const { items: found, total } = await view.collection(wanted, null);
        const meta = numbers(total, offset);
        if (!found.some(({ isModule }) => isModule))
          return sendList(site, { req, res, view }, { fragments, found, meta });
        const items = await toItemsWithHtml(site, view, found);
        return site.http.json(req, res, { items, meta }, trace(view));
      }
      const { fallback } = given;
      const names = tables.names(view, { fallback, template, lang: source.lang });
      const shape = shapeOf(query, names, includes);
      const { items } = await view.collection({ ...source, fallback }, null);
      const plain = template === undefined ? [] : [plainCondition("template", template)];
      const whole = { ...query, all: [...plain, ...query.all], order };
      const result = tables.once(items, names).select(whole, { offset, limit });
      const meta = numbers(result.total, result.offset);
      const list = { shape, includes, result, fragments, meta };
      return sendQueried(site, { req, res, view }, list);
    },
  });
}

function pageNumbers(offset: number, limit: number, total: number) {
  return { page: Math.floor(offset / limit) + 1, pages: Math.ceil(total / limit) };
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
): Pick<CollectionQuery, "items" | "lang"> {
  const { addresses, languages } = site.use("content");
  const { name, value } = toSource(query.source);
  const own = query.lang ?? languages.main;
  if (value === null) return { items: { [name]: true }, lang: own };
  if (name.startsWith("@taxonomy.")) {
    const taxonomy = name.slice("@taxonomy.".length);
    if (!site.settings.site.taxonomies.includes(taxonomy)) {
      const shown = JSON.stringify(taxonomy);
      throw new HttpError(400, `source: taxonomy ${shown} is not defined in site.yaml`);
    }
    return { items: { [name]: value }, lang: own };
  }
  const place = addresses.parse(value);
  const lang = query.lang ?? place.lang ?? languages.main;
  const page = view.page(place.route, place.lang ?? lang) ?? view.page(place.route, lang);
  if (page === undefined) throw new HttpError(404, "Not found");
  return { items: { [name]: routeIn(view, page, lang) }, lang };
}

/** The route of the page's translation, if any. */
function routeIn(view: ContentView, page: PageEntry, lang: string): string {
  if (page.lang === lang) return page.route;
  const translation = view.translations(page).find((other) => other.lang === lang);
  return translation?.entry.route ?? page.route;
}

/** A list of pages as a query selects it. */
interface QueriedList {
  readonly shape: Shape;
  readonly includes: Includes;
  readonly result: QueryResult<PageEntry>;
  /** Whole items. */
  readonly fragments: Fragments<PageEntry>;
  readonly meta: Record<string, unknown>;
}
/** The keys that items show beside or instead of their usual ones. */
interface Shape {
  readonly fields: readonly QueryName<PageEntry>[] | null;
  readonly include: readonly string[];
}

/** A condition that a plain parameter stands for. */
function plainCondition(name: string, value: string) {
  return { parameter: name, name, operator: "is", values: [value] } as const;
}

/** The order with all directions; `fallback`: those of keys without one. */
export function directed(
  order: readonly QueryOrder[],
  fallback: (name: string) => "asc" | "desc",
): (QueryOrder & { dir: "asc" | "desc" })[] {
  const keys = order.length === 0 ? [{ name: "date", dir: null }] : order;
  return keys.map(({ name, dir }) => ({ name, dir: dir ?? fallback(name) }));
}

/** The shape that a query asks for. @throws HttpError 400 for an unknown name. */
function shapeOf(
  { fields, include }: Pick<QueryText, "fields" | "include">,
  names: PageNames,
  includes: Includes,
): Shape {
  for (const name of include) includes.assertName(name);
  if (fields === null) return { fields, include };
  // `fields=title,summary`: an include, unless pages have such a key.
  const added = fields.filter(
    (name) => includes.has(name) && names.find(name, "fields") === undefined,
  );
  const own = fields.filter((name) => !added.includes(name));
  return {
    fields: own.map((name) => resolveName(names, name, "fields")),
    include: [...new Set([...include, ...added])],
  };
}

/** Sends the items in the shape of the query. */
async function sendQueried(
  site: SiteContext,
  { req, res, view }: Exchange,
  list: QueriedList,
): Promise<unknown> {
  const { shape, includes, result, fragments } = list;
  const meta = { ...list.meta, nextCursor: result.nextCursor };
  const { fields, include } = shape;
  const hasModules = result.items.some(({ isModule }) => isModule);
  if (fields === null && include.length === 0 && !hasModules)
    return sendList(site, { req, res, view }, { fragments, found: result.items, meta });
  const items: unknown[] = [];
  for (const entry of result.items) {
    const item =
      fields === null
        ? { ...fragments.item(entry), ...(await htmlOfModule(site, view, entry)) }
        : pickFields(entry, fields);
    const added = include.length === 0 ? {} : await includes.valuesOf(include, entry, view);
    items.push({ ...item, ...added });
  }
  return site.http.json(req, res, { items, meta }, trace(view));
}
