import type { Request, Response } from "express";
import type { SiteContext } from "#kernel";
import { type InternalAnswer, withoutSlash } from "#kernel/internal";
import type { SearchRoute } from "../contract.js";
import { isPageParameter, toPageRequest } from "../params.js";
import type { InternalSearchService } from "../service.js";
import { tags } from "../tags.js";
import { isPersonal, viewerOf } from "../viewer.js";
import { builtInPage, titleOf, type SearchPage } from "../page/built-in-page.js";

/** The routes of the search page in one language: HTML for people. */
export function addSearchPage(
  site: SiteContext,
  service: InternalSearchService,
  place: SearchRoute,
): void {
  site.http.route({
    method: "get",
    path: place.path,
    summary: "The search page",
    parameters: isPageParameter,
    hidden: true,
    handler: (req, res) => sendPage(site, service, { req, res, place }),
  });
  site.http.route({
    method: "get",
    path: `${place.path}/`,
    summary: "Leads to the search page",
    hidden: true,
    handler: (req, res) => site.http.send(req, res, withoutSlash(req)),
  });
}

async function sendPage(
  site: SiteContext,
  service: InternalSearchService,
  { req, res, place }: { req: Request; res: Response; place: SearchRoute },
): Promise<void> {
  const viewer = viewerOf(req);
  const { type, ...read } = toPageRequest(req.query, site.settings.system.search);
  const request = { ...read, lang: place.lang };
  const answer = await service.search(request, viewer);
  const page = { request: { ...request, type }, answer, siteTitle: site.settings.site.title };
  const render = site.use("render", { optional: true });
  const themed = await render?.renderTemplate(req, "search", templateProps(page, service), {
    title: (t) => titleOf(request.text, page.siteTitle, t("search.title", "Search")),
    cache: { tags, private: isPersonal(viewer) },
  });
  if (themed) {
    const cached: InternalAnswer = {
      ...themed,
      cache: { ...themed.cache, until: earlier(themed.cache?.until, service.trueUntil()) },
      onCacheHit: service.noteOf(request, answer.total),
    };
    return site.http.send(req, res, cached);
  }
  // Not cached: it has a nonce.
  const options = {
    nonce: req.ctx.nonce(),
    path: place.path,
    lang: place.lang ?? site.settings.system.languages.default,
    private: isPersonal(viewer),
    until: service.trueUntil(),
  };
  site.http.send(req, res, builtInPage(page, options));
}

function earlier(one: number | null | undefined, other: number): number {
  return Math.min(one ?? Infinity, other);
}

function templateProps(
  { request, answer }: SearchPage,
  { pages }: InternalSearchService,
): Record<string, unknown> {
  return {
    translations: translationsOf(pages, request.text),
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
function translationsOf(
  pages: readonly SearchRoute[],
  text: string,
): { lang: string; url: string }[] {
  const query = text === "" ? "" : `?${new URLSearchParams({ q: text })}`;
  const urls = new Map(pages.map(({ path, lang }) => [lang, path + query]));
  return [...urls].flatMap(([lang, url]) => (lang === null ? [] : [{ lang, url }]));
}
