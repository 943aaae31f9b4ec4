import { HttpError, type SiteContext } from "#kernel";
import { isTypedQuery, readQuery, type QueryText, type TableQuery } from "#kernel/internal";
import type { ListQuery, PageEntry } from "../../content/contract.js";
import { resolveSource } from "../lists/collection-source.js";
import { Fragments } from "../page/fragments.js";
import { Includes } from "../page/includes.js";
import { toItemsWithHtml } from "../page/included-modules.js";
import { toCollectionItem, toListItem, toUnpublishedItem } from "../lists/items.js";
import { PageTables } from "../lists/page-tables.js";
import {
  collectionsQuery,
  isListOrder,
  listParameters,
  pagesQuery,
  singleTaxonomyValues,
  toCollectionQuery,
  toListQuery,
} from "../params.js";
import { directed, plainCondition, sendQueried, shapeOf } from "../lists/send-queried.js";
import { collectionSchema, errorSchema, listSchema, momentProblems } from "../schemas.js";
import { sendList, trace, viewOf, type Exchange } from "./send.js";
import { singleRoutes } from "./single-routes.js";

/** What the routes of lists share. */
interface ListParts {
  readonly includes: Includes;
  readonly tables: PageTables;
}

/** Routes of `/api/pages` and `/api/collections`. */
export function pageRoutes(site: SiteContext): void {
  const parts: ListParts = { includes: new Includes(site), tables: new PageTables(site) };
  listRoute(site, parts);
  singleRoutes(site, parts.includes);
  collectionRoute(site, parts);
}

function listRoute(site: SiteContext, parts: ListParts): void {
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
        const meta = { total, ...pageNumbers({ limit, offset, total }), limit };
        return sendList(site, { req, res, view }, { fragments, found, meta });
      }
      return sendPages(
        site,
        { req, res, view },
        { parts, query: { ...query, order }, wanted, fragments },
      );
    },
  });
}

interface PagesRequest {
  readonly parts: ListParts;
  readonly query: QueryText & Pick<TableQuery, "order">;
  /** What the plain parameters select. */
  readonly wanted: ListQuery;
  readonly fragments: Fragments<PageEntry>;
}

/** Sends the pages of a query. */
function sendPages(
  site: SiteContext,
  exchange: Exchange,
  { parts: { includes, tables }, query, wanted, fragments }: PagesRequest,
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
  const meta = { total: result.total, ...pageNumbers({ ...result, limit }), limit };
  return sendQueried(site, exchange, { shape, includes, list: { result, fragments, meta } });
}

function collectionRoute(site: SiteContext, { includes, tables }: ListParts): void {
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
        ...pageNumbers({ offset: from, limit, total }),
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
      const list = { result, fragments, meta: numbers(result.total, result.offset) };
      return sendQueried(site, { req, res, view }, { shape, includes, list });
    },
  });
}

function pageNumbers({ offset, limit, total }: { offset: number; limit: number; total: number }) {
  return { page: Math.floor(offset / limit) + 1, pages: Math.ceil(total / limit) };
}
