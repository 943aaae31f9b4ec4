import { HttpError, type SiteContext } from "#kernel";
import { resolveSource } from "./collection-source.js";
import { Fragments } from "./fragments.js";
import { Includes } from "./includes.js";
import { toItemsWithHtml } from "./included-modules.js";
import { toCollectionItem, toListItem, toUnpublishedItem } from "./items.js";
import {
  collectionsQuery,
  listParameters,
  pagesQuery,
  singleTaxonomyValues,
  toCollectionQuery,
  toListQuery,
} from "./params.js";
import { collectionSchema, errorSchema, listSchema } from "./schemas.js";
import { sendList, trace, viewOf } from "./send.js";
import { singleRoutes } from "./single-routes.js";

/** Routes of `/api/pages` and `/api/collections`. */
export function pageRoutes(site: SiteContext): void {
  const includes = new Includes(site);
  listRoute(site);
  singleRoutes(site, includes);
  collectionRoute(site);
}

function listRoute(site: SiteContext): void {
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
    responses: { 200: listSchema, 400: errorSchema },
    handler: (req, res, { query }) => {
      const many = singleTaxonomyValues(query);
      if (many !== null) throw new HttpError(400, `${many}: expected one value`);
      const view = viewOf(site, req);
      const wanted = toListQuery(query);
      const { items: found, total } = view.list(wanted);
      const meta = { total, ...pageNumbers({ ...wanted, total }), limit: wanted.limit };
      const fragments = wanted.published === false ? unpublished : published;
      return sendList(site, { req, res, view }, { fragments, found, meta });
    },
  });
}

function collectionRoute(site: SiteContext): void {
  const collectionItems = new Fragments(toCollectionItem);
  const language = site.use("content").languages.parameters({ fallback: false });
  site.http.route({
    method: "get",
    path: "/api/collections",
    summary: "List a collection",
    query: collectionsQuery(language),
    responses: { 200: collectionSchema, 400: errorSchema, 404: errorSchema },
    handler: async (req, res, { query }) => {
      const view = viewOf(site, req);
      const wanted = toCollectionQuery(query, resolveSource(site, view, query));
      const { items: found, total } = await view.collection(wanted, null);
      const numbers = pageNumbers({ offset: query.offset, limit: query.limit, total });
      const hasNext = query.offset + query.limit < total;
      const meta = { total, ...numbers, limit: query.limit, hasNext, hasPrev: query.offset > 0 };
      if (found.some(({ isModule }) => isModule)) {
        const items = await toItemsWithHtml(site, view, found);
        return site.http.json(req, res, { items, meta }, trace(view));
      }
      return sendList(site, { req, res, view }, { fragments: collectionItems, found, meta });
    },
  });
}

function pageNumbers({ offset, limit, total }: { offset: number; limit: number; total: number }) {
  return { page: Math.floor(offset / limit) + 1, pages: Math.ceil(total / limit) };
}
