import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError, type SiteContext, type Answer } from "#kernel";
import type { ContentView, PageEntry, Page } from "../../content/contract.js";
import type {} from "../../session/contract.js";
import { findTarget, type PagePart, type RedirectTarget } from "../page-route.js";
import type { Includes } from "../includes.js";
import { mediaQuery, pageQuery, relatedQuery } from "../params.js";
import {
  childrenSchema,
  errorSchema,
  noPageSchema,
  pageMediaSchema,
  pageSchema,
  redirectSchema,
  relatedSchema,
} from "../schemas.js";
import { toChildItem, toListItem, toMediaItem, toPage, renderedPage } from "../items.js";
import { JsonBodies, JSON_TYPE, trace, openView, type Exchange } from "./send.js";

/** Default number of related pages. */
const DEFAULT_RELATED = 5;

/** The parameters of a page request. */
interface PageInput {
  route: string;
  query: {
    lang?: string | undefined;
    fallback: boolean;
    include?: readonly string[] | undefined;
    limit?: number;
  };
}

/** Responses of all routes of a page beside its body. */
const RESPONSES = {
  301: redirectSchema,
  302: redirectSchema,
  401: errorSchema,
  403: errorSchema,
  404: noPageSchema,
  422: errorSchema,
  503: errorSchema,
};

/** Routes below `/api/pages/`: a page, its children, its media. */
export function singleRoutes(site: SiteContext, includes: Includes): void {
  const { http } = site;
  const language = site.use("content").languages.parameters({ fallback: true });
  const query = pageQuery(language, includes.names);
  const single = pageHandler(site, includes);
  http.route({
    method: "get",
    path: "/api/pages/",
    summary: "The home page",
    query,
    responses: { 200: pageSchema, ...RESPONSES },
    handler: (req, res, input) => single(req, res, { route: "/", query: input.query }),
  });
  // A page with this route takes precedence over the sub-resource of its parent.
  http.route({
    method: "get",
    path: "/api/pages/*route/children",
    summary: "The pages directly below a page",
    query,
    responses: { 200: z.union([childrenSchema, pageSchema]), ...RESPONSES },
    handler: (req, res, { params, query: input }) =>
      single(req, res, { route: toRoute(`${params["route"]}/children`), query: input }),
  });
  http.route({
    method: "get",
    path: "/api/pages/*route/media",
    summary: "The files of a page",
    query: mediaQuery(language),
    responses: { 200: z.union([pageMediaSchema, pageSchema]), ...RESPONSES },
    handler: (req, res, { params, query: input }) =>
      single(req, res, { route: toRoute(`${params["route"]}/media`), query: input }),
  });
  http.route({
    method: "get",
    path: "/api/pages/*route/related",
    summary: "The pages that share most taxonomy values with a page, the newest first among equals",
    query: relatedQuery(language, includes.names),
    responses: { 200: z.union([relatedSchema, pageSchema]), ...RESPONSES },
    handler: (req, res, { params, query: input }) =>
      single(req, res, { route: toRoute(`${params["route"]}/related`), query: input }),
  });
  http.route({
    method: "get",
    path: "/api/pages/*route",
    summary: "A page",
    query,
    responses: {
      200: z.union([pageSchema, childrenSchema, relatedSchema, pageMediaSchema]),
      ...RESPONSES,
    },
    tool: {
      name: "read_page",
      description:
        "A page as visitors see it: front matter, Markdown (rawContent) and files. The route is its address: /blog/hello",
      query: ["lang", "include"],
      omit: ["html"],
    },
    handler: (req, res, { params, query: input }) =>
      single(req, res, { route: toRoute(params["route"]), query: input }),
  });
}

function pageHandler(site: SiteContext, includes: Includes) {
  const { http } = site;
  const { addresses } = site.use("content");
  const pageBody = createPageBody(site);
  return async (req: Request, res: Response, { route, query }: PageInput): Promise<unknown> => {
    const { include = [], fallback, limit = DEFAULT_RELATED } = query;
    for (const name of include) includes.assertName(name);
    const view = openView(site, req);
    const base = site.settings.site.url;
    const target = orUnavailable(site, req, () =>
      findTarget({ view, addresses, base }, { route, lang: query.lang, fallback }),
    );
    if (target.kind === "redirect") return sendRedirect(site, { req, res, view }, target);
    const { match, part } = target;
    if (part === "page" && include.length === 0 && !site.hooks.has("onApiResponse")) {
      const body = await pageBody(view, match.entry);
      return http.send(req, res, { type: JSON_TYPE, body, ...trace(view) });
    }
    const add = (entry: PageEntry) => includes.loadValues(include, entry, view);
    const body = await PARTS[part](site, view, { ...match, fallback, add, limit });
    return http.json(req, res, body, trace(view));
  };
}

/** The result of `find`. @throws its errors, but 503 instead of 401 while the session store is unavailable. */
function orUnavailable<T>(site: SiteContext, req: Request, find: () => T): T {
  try {
    return find();
  } catch (error) {
    const isGated = error instanceof HttpError && error.status === 401;
    if (isGated) site.use("session", { optional: true })?.assertAvailable(req);
    throw error;
  }
}

/** Redirects to another page of the API, or adds the target to the error. */
function sendRedirect(
  site: SiteContext,
  { req, res, view }: Exchange,
  { to, url, status, part }: RedirectTarget,
): unknown {
  const options = { cache: { private: view.personal, until: view.expiresAt } };
  if (url === null) {
    return site.http.json(
      req,
      res,
      { error: "Not found", redirect: to },
      { status: 404, ...options },
    );
  }
  const suffix = part === "page" ? "" : `/${part}`;
  const headers = { Location: `/api/pages${url === "/" && suffix !== "" ? "" : url}${suffix}` };
  return site.http.json(req, res, { redirect: to }, { status, headers, ...options });
}

/** Normalises a route with or without leading and trailing slashes. */
function toRoute(path = ""): string {
  return `/${path.replace(/^\/+|(?<!\/)\/+$/g, "")}`;
}

/** The JSON of pages, cached as long as the page and its HTML are unchanged. */
function createPageBody(site: SiteContext) {
  const bodies = new JsonBodies<Page>(site.cache, "page-json");
  // Plugins may change a page differently each time.
  const isCacheable = (): boolean =>
    !site.hooks.has("onPageLoaded") && !site.hooks.has("onMediaDiscovered");
  return async (view: ContentView, entry: PageEntry): Promise<Answer["body"]> => {
    const { page, rendered } = await renderedPage(site, view, entry);
    const from = { key: `/api/pages${entry.url}`, source: page, companion: rendered };
    const cached = isCacheable() ? bodies.find(from) : undefined;
    if (cached !== undefined) return cached;
    const body = await toPage(page, rendered.html);
    if (!isCacheable()) return JSON.stringify(body);
    return bodies.of({ ...from, tags: view.reads }, () => body);
  };
}

/** Creates the body of a part of a page. */
type ToPart = (site: SiteContext, view: ContentView, page: WantedPage) => Promise<unknown>;
/** A page, and what to add to it and to its children. */
interface WantedPage {
  entry: PageEntry;
  lang: string;
  fallback: boolean;
  add(entry: PageEntry): Promise<Record<string, unknown>>;
  /** Maximum number of related pages. */
  limit: number;
}

/** The bodies of the parts of a page. */
const PARTS: Readonly<Record<PagePart, ToPart>> = {
  page: async (site, view, { entry, add }) => {
    const { page, rendered } = await renderedPage(site, view, entry);
    return { ...(await toPage(page, rendered.html)), ...(await add(entry)) };
  },
  children: async (_site, view, { entry, lang, fallback, add }) => {
    const children = view.children(entry.route, { lang, fallback });
    const items: unknown[] = [];
    for (const child of children) items.push({ ...toChildItem(child), ...(await add(child)) });
    return { items, total: items.length };
  },
  related: async (_site, view, { entry, add, limit }) => {
    const related = relatedPages(view, entry);
    const items: unknown[] = [];
    for (const page of related.slice(0, limit))
      items.push({ ...toListItem(page), ...(await add(page)) });
    return { items, total: related.length };
  },
  media: async (_site, view, { entry }) => {
    const { media } = await view.load(entry);
    return { items: media.map((item) => toMediaItem(item, true)), total: media.length };
  },
};

/**
 * The pages that share most taxonomy values with a page, most first, the newest first among equals; only
 * those that the viewer sees.
 */
function relatedPages(view: ContentView, entry: PageEntry): readonly PageEntry[] {
  const language = {
    lang: entry.standsInFor ?? entry.lang,
    fallback: entry.standsInFor !== undefined,
  };
  const shared = new Map<PageEntry, number>();
  for (const [name, values] of Object.entries(entry.taxonomy)) {
    for (const value of new Set(values)) {
      for (const page of view.taxonomyPages(name, value, language)) {
        if (page.sourcePath !== entry.sourcePath) shared.set(page, (shared.get(page) ?? 0) + 1);
      }
    }
  }
  const newest = view.list({
    ...language,
    order: { by: "date", dir: "desc" },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }).items;
  // Sorting is stable: equals stay in the order of dates.
  const related = shared.size === 0 ? [] : newest.filter((page) => shared.has(page));
  return related.sort((a, b) => (shared.get(b) ?? 0) - (shared.get(a) ?? 0));
}
