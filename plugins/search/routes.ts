import { z } from "zod";
import type { Request } from "express";
import { type SiteContext, type JsonOptions, type Answer, withoutSlash } from "#kernel";
import type { SearchAnswer, SearchRoute } from "./contract.js";
import {
  searchQuery,
  searchTool,
  suggestQuery,
  toRequest,
  isPageParameter,
  toPageRequest,
} from "./params.js";
import type { InternalSearchService } from "./service.js";
import { INDEX_TAG } from "./index/search-index.js";
import { MAX_QUERY_LENGTH } from "./query/terms.js";
import type { Viewer } from "../content/contract.js";
import { builtInPage, formatTitle, type SearchPage } from "./built-in-page.js";

const explanationSchema = z.object({
  score: z.number(),
  terms: z.array(
    z.object({
      term: z.string(),
      matches: z.array(z.object({ field: z.string(), count: z.number(), points: z.number() })),
    }),
  ),
  exactTitle: z.number(),
  factor: z.number(),
});
const itemSchema = z.object({
  route: z.string(),
  title: z.string(),
  template: z.string(),
  date: z.string().describe("YYYY-MM-DD; empty when undated"),
  taxonomy: z.record(z.string(), z.array(z.string())),
  score: z.number(),
  excerpt: z.string().describe("HTML: escaped text with <mark>"),
  highlights: z.array(z.string()).optional().describe("HTML-escaped words"),
  type: z.string().optional(),
  lang: z.string().optional().describe("With `fallback`: the language the page is written in"),
  fallback: z.literal(true).optional().describe("The page stands in for a missing translation"),
  explanation: explanationSchema.nullable().optional().describe("With explain=1, for admins"),
});
const similarSchema = itemSchema.extend({ matched: z.enum(["typo", "synonym", "stem", "part"]) });
const answerSchema = z.object({
  query: z.string(),
  total: z.number(),
  items: z.array(itemSchema),
  filters: z.object({
    template: z.string().nullable(),
    taxonomy: z.record(z.string(), z.array(z.string())),
  }),
  facets: z.record(z.string(), z.record(z.string(), z.number())),
  hasMore: z.boolean(),
  offset: z.number(),
  similar: z.array(similarSchema).optional().describe("With similar=1: hits beside the exact ones"),
  sections: z
    .record(
      z.string(),
      z.array(z.object({ id: z.string(), title: z.string(), excerpt: z.string() })),
    )
    .optional()
    .describe("With sections=1: by route"),
  didYouMean: z.string().nullable().optional().describe("With similar=1: the query without typos"),
});
const errorSchema = z.object({ error: z.string() });
/** Moments respond 404 and 422. */
const problems = Object.fromEntries([400, 404, 422, 503].map((status) => [status, errorSchema]));

/** Read tags of a response: the index, and every list of pages until the index is up to date. */
const READ_TAGS: ReadonlySet<string> = new Set([INDEX_TAG, "list"]);

/** Routes of search: the API, suggestions and the HTML page. */
export function searchRoutes(site: SiteContext, service: InternalSearchService): void {
  site.http.jsonPrefix("/api");
  const language = site.use("content").languages.parameters({ fallback: false });
  site.http.route({
    method: "get",
    path: "/api/search",
    summary: "Search pages and records",
    query: searchQuery(language),
    responses: { 200: answerSchema, ...problems },
    tool: searchTool,
    handler: async (req, res, { query }) => {
      const request = toRequest(query, site.settings.system.search);
      const viewer = readViewer(req);
      const explain = query.explain === "1" && viewer.seesUnpublished;
      const none = query.published === "false";
      const counted = none ? null : await service.searchCounted({ ...request, explain }, viewer);
      const answer = counted?.answer ?? empty;
      const body = {
        query: request.text.slice(0, MAX_QUERY_LENGTH),
        total: answer.total,
        items: answer.items,
        filters: { template: request.filters.template ?? null, taxonomy: request.filters.taxonomy },
        facets: answer.facets,
        hasMore: answer.hasMore,
        offset: request.offset,
        ...(request.similar === true && {
          similar: answer.similar ?? [],
          didYouMean: answer.didYouMean ?? null,
        }),
        ...(request.sections === true && { sections: answer.sections ?? {} }),
      };
      const options: JsonOptions = {
        cache: { tags: READ_TAGS, until: service.trueUntil(), private: isPersonal(viewer) },
        ...(counted !== null && { onCacheHit: counted.recordHit }),
      };
      return site.http.json(req, res, body, options);
    },
  });
  site.http.route({
    method: "get",
    path: "/api/search/suggest",
    summary: "Suggest titles and words by prefix",
    query: suggestQuery(language),
    responses: {
      200: z.object({ suggestions: z.array(z.string()) }),
      ...problems,
    },
    handler: async (req, res, { query }) => {
      const viewer = readViewer(req);
      const suggestions = await service.suggest(query.q, {
        viewer,
        lang: query.lang ?? null,
        fallback: query.fallback,
      });
      const cache = { tags: READ_TAGS, until: service.trueUntil(), private: isPersonal(viewer) };
      return site.http.json(req, res, { suggestions }, { cache });
    },
  });
  for (const page of service.pages) addSearchPage(site, service, page);
}

const empty: SearchAnswer = { total: 0, items: [], facets: {}, hasMore: false };

const anonymous: Viewer = { roles: null, seesUnpublished: false };

/** The account and the moment of a request. */
function readViewer({ ctx }: Request): Viewer {
  return ctx.state.viewer ?? anonymous;
}

/** True when the hits depend on the viewer. */
function isPersonal(viewer: Viewer): boolean {
  return viewer.roles !== null || viewer.seesUnpublished;
}

/** The routes of the search page in one language: HTML for people. */
function addSearchPage(site: SiteContext, service: InternalSearchService, page: SearchRoute): void {
  site.http.route({
    method: "get",
    path: page.path,
    summary: "The search page",
    parameters: isPageParameter,
    hidden: true,
    handler: async (req, res) =>
      site.http.send(req, res, await pageAnswer(site, service, page, req)),
  });
  site.http.route({
    method: "get",
    path: `${page.path}/`,
    summary: "Leads to the search page",
    hidden: true,
    handler: (req, res) => site.http.send(req, res, withoutSlash(req)),
  });
}

/** The page from the theme's template, or the built-in one. */
async function pageAnswer(
  site: SiteContext,
  service: InternalSearchService,
  searchPage: SearchRoute,
  req: Request,
): Promise<Answer> {
  const viewer = readViewer(req);
  const { type, ...read } = toPageRequest(req.query, site.settings.system.search);
  const request = { ...read, lang: searchPage.lang };
  const { answer, recordHit } = await service.searchCounted(request, viewer);
  const page = { request: { ...request, type }, answer, siteTitle: site.settings.site.title };
  const render = site.use("render", { optional: true });
  const themed = await render?.renderTemplate(req, "search", templateProps(page, service), {
    title: (t) => formatTitle(request.text, page.siteTitle, t("search.title", "Search")),
    cache: { tags: READ_TAGS, private: isPersonal(viewer) },
  });
  if (themed) {
    const until = Math.min(themed.cache?.until ?? Infinity, service.trueUntil());
    return { ...themed, cache: { ...themed.cache, until }, onCacheHit: recordHit };
  }
  // Not cached: it has a nonce.
  const options = {
    nonce: req.ctx.nonce(),
    path: searchPage.path,
    lang: searchPage.lang ?? site.settings.system.languages.default,
    private: isPersonal(viewer),
    until: service.trueUntil(),
  };
  return builtInPage(page, options);
}

function templateProps(
  { request, answer }: SearchPage,
  { pages }: InternalSearchService,
): Record<string, unknown> {
  return {
    translations: listTranslations(pages, request.text),
    searchLang: request.lang,
    searchQuery: request.text,
    searchResults: answer.items,
    searchFacetCounts: answer.facets,
    searchSort: request.sort,
    searchType: request.type,
    searchHasMore: answer.hasMore,
    searchOffset: request.offset,
    searchLimit: request.limit,
    searchTotal: answer.total,
    searchSimilar: answer.similar ?? [],
    searchDidYouMean: answer.didYouMean ?? null,
  };
}

/** The same query in the other languages. */
function listTranslations(
  pages: readonly SearchRoute[],
  text: string,
): { lang: string; url: string }[] {
  const query = text === "" ? "" : `?${new URLSearchParams({ q: text })}`;
  const urls = new Map(pages.map(({ path, lang }) => [lang, path + query]));
  return [...urls].flatMap(([lang, url]) => (lang === null ? [] : [{ lang, url }]));
}
