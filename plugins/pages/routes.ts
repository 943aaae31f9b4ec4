import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError, type Answer, type SiteContext } from "#kernel";
import type { ContentView, Page, PageEntry } from "../content/contract.js";
import type {} from "../markdown/contract.js";
import type {} from "../session/contract.js";
import { Fragments } from "./fragments.js";
import { KeptBodies } from "./kept-bodies.js";
import {
  toChildItem,
  toCollectionItem,
  toListItem,
  toMediaItem,
  toPage,
  toUnpublishedItem,
} from "./items.js";
import { findTarget, type PageTarget } from "./page-route.js";
import {
  collectionsQuery,
  isListParameter,
  noParameter,
  pagesQuery,
  singleTaxonomyValues,
  toCollectionQuery,
  toListQuery,
} from "./params.js";
import { JSON_TYPE, sendList, trace, viewOf } from "./send.js";
import {
  childItemSchema,
  collectionSchema,
  errorSchema,
  listSchema,
  pageSchema,
} from "./schemas.js";

/** Routes of `/api/pages` and `/api/collections` (specification: Pages, Collections). */
export function pageRoutes(site: SiteContext): void {
  listRoute(site);
  singleRoutes(site);
  collectionRoute(site);
}

function listRoute(site: SiteContext): void {
  const published = new Fragments(toListItem);
  const unpublished = new Fragments(toUnpublishedItem);
  site.http.route({
    method: "get",
    path: "/api/pages",
    summary: "List pages",
    query: pagesQuery,
    parameters: isListParameter,
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

function singleRoutes(site: SiteContext): void {
  const { http } = site;
  const pageBody = keptPages(site);
  const single = async (req: Request, res: Response, route: string): Promise<unknown> => {
    const view = viewOf(site, req);
    const { entry, part } = targetFor(site, req, { view, route });
    if (part === "page" && !site.hooks.has("onApiResponse")) {
      const body = await pageBody(view, entry);
      return http.send(req, res, { type: JSON_TYPE, ...body, ...trace(view) });
    }
    const body = await PARTS[part](site, view, entry);
    return http.json(req, res, body, trace(view));
  };
  const describe = { parameters: noParameter, responses: { 200: pageSchema, 404: errorSchema } };
  http.route({
    method: "get",
    path: "/api/pages/",
    summary: "The home page",
    ...describe,
    handler: (req, res) => single(req, res, "/"),
  });
  http.route({
    method: "get",
    path: "/api/pages/*route",
    summary: "A page; with /children or /media behind its route, those of the page",
    parameters: noParameter,
    responses: {
      200: z.union([pageSchema, childItemSchema]),
      401: errorSchema,
      403: errorSchema,
      404: errorSchema,
      503: errorSchema,
    },
    handler: (req, res, { params }) => single(req, res, toRoute(params["route"])),
  });
}

/** @throws HttpError as `findTarget`; 503 instead of 401 while nobody can look up who asks. */
function targetFor(
  site: SiteContext,
  req: Request,
  { view, route }: { view: ContentView; route: string },
): PageTarget {
  try {
    return findTarget(view, route);
  } catch (error) {
    const isGated = error instanceof HttpError && error.status === 401;
    if (isGated) site.find("session")?.assertAvailable(req);
    throw error;
  }
}

function collectionRoute(site: SiteContext): void {
  const collectionItems = new Fragments(toCollectionItem);
  site.http.route({
    method: "get",
    path: "/api/collections",
    summary: "List a collection",
    query: collectionsQuery,
    responses: { 200: collectionSchema, 400: errorSchema, 404: errorSchema },
    handler: async (req, res, { query }) => {
      const view = viewOf(site, req);
      assertSource(site, view, query.source);
      const wanted = toCollectionQuery(query);
      // A collection speaks the language of the page it stands on: over REST, of the home page.
      const home = query.lang === undefined ? undefined : view.page("/", query.lang);
      const { items: found, total } = await view.collection(wanted, home ?? null);
      const numbers = pageNumbers({ offset: query.offset, limit: query.limit, total });
      const hasNext = query.offset + query.limit < total;
      const meta = { total, ...numbers, limit: query.limit, hasNext, hasPrev: query.offset > 0 };
      return sendList(site, { req, res, view }, { fragments: collectionItems, found, meta });
    },
  });
}

/** With or without slashes at either end: a route as it stands in lists begins with one. */
function toRoute(path = ""): string {
  return `/${path.replace(/^\/+|(?<!\/)\/+$/g, "")}`;
}

/** A page with its HTML. */
async function renderedPage(site: SiteContext, view: ContentView, entry: PageEntry) {
  const page = await view.load(entry);
  const rendered = await site.use("markdown").render(page);
  for (const tag of rendered.reads ?? []) view.reads.add(tag);
  return { page, rendered };
}

/** The JSON of pages: a body holds as long as the page and the HTML it was made from. */
function keptPages(site: SiteContext) {
  const kept = new KeptBodies<Page>();
  // What a plugin does to a page may be another thing the next time.
  const isOurs = (): boolean =>
    !site.hooks.has("onPageLoaded") && !site.hooks.has("onMediaDiscovered");
  return async (view: ContentView, entry: PageEntry): Promise<Pick<Answer, "body" | "lasting">> => {
    const { page, rendered } = await renderedPage(site, view, entry);
    const known = isOurs() ? kept.get(page, rendered) : undefined;
    if (known !== undefined) return { body: known, lasting: true };
    const body = await toPage(page, rendered.html);
    if (!isOurs()) return { body: JSON.stringify(body) };
    return { body: kept.of(page, () => body, rendered), lasting: true };
  };
}

const PARTS = {
  page: async (site: SiteContext, view: ContentView, entry: PageEntry) => {
    const { page, rendered } = await renderedPage(site, view, entry);
    return toPage(page, rendered.html);
  },
  children: async (_site: SiteContext, view: ContentView, entry: PageEntry) => {
    const children = view.children(entry.route, entry.lang).map(toChildItem);
    return { items: children, total: children.length };
  },
  media: async (_site: SiteContext, view: ContentView, entry: PageEntry) => {
    const { media } = await view.load(entry);
    return { items: media.map((item) => toMediaItem(item, true)), total: media.length };
  },
};

/** `@page.…` of an absent page is 404, `@taxonomy.…` of an unknown name 400. */
function assertSource(site: SiteContext, view: ContentView, source: string): void {
  const page = /^@page\.\w+:(.+)$/.exec(source)?.[1];
  if (page !== undefined && !view.page(page)) throw new HttpError(404, "Not found");
  const taxonomy = /^@taxonomy\.([^:]+):/.exec(source)?.[1];
  if (taxonomy === undefined || site.settings.site.taxonomies.includes(taxonomy)) return;
  throw new HttpError(
    400,
    `source: taxonomy ${JSON.stringify(taxonomy)} is not defined in site.yaml`,
  );
}

function pageNumbers({ offset, limit, total }: { offset: number; limit: number; total: number }) {
  return { page: Math.floor(offset / limit) + 1, pages: Math.ceil(total / limit) };
}
