import type { SearchItem } from "../../../search/contract.js";
import { ifMatch, note, selected, type AdminContext } from "../admin-context.js";
import { settingsApi } from "../../schemas/settings.js";

const LIMIT = 1_048_576;
const MAX_RESULTS = 20;

/** Explains results, and edits synonyms and stop words. */
export function searchRoutes(context: AdminContext): void {
  addExplain(context);
  addSynonyms(context);
}

function addExplain(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/search/explain",
    permission: "pages.read",
    summary: "What anonymous visitors find, and why; not counted in the analytics",
    responses: settingsApi["GET /search/explain"].responses,
    query: settingsApi["GET /search/explain"].query,
    handler: async (req, res, { query: { q, lang } }) => {
      const search = requireSearch(context);
      const request = {
        text: q,
        filters: { taxonomy: {}, facets: {} },
        sort: "relevance" as const,
        limit: MAX_RESULTS,
        offset: 0,
        lang: lang ?? null,
        explain: true,
        similar: true,
        isCounted: false,
      };
      const visitor = { roles: null, seesUnpublished: false };
      const { total, items, similar, didYouMean } = await search.search(request, visitor);
      const { engine } = search.state();
      await site.http.json(req, res, {
        total,
        engine,
        didYouMean: didYouMean ?? null,
        items: items.map((one) => ({ ...shown(one), explanation: one.explanation ?? null })),
        similar: (similar ?? []).map((one) => ({ ...shown(one), matched: one.matched })),
      });
    },
  });
}

function addSynonyms(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/search/synonyms",
    permission: "config.read",
    summary: "The file of synonyms and stop words",
    responses: settingsApi["GET /search/synonyms"].responses,
    handler: async (req, res) => {
      const read = await requireSearch(context).synonyms.read();
      const { supported: languages } = site.use("content").languages;
      const headers = { ETag: `"${read.hash}"` };
      await site.http.json(req, res, { ...read, languages }, { headers });
    },
  });
  admin.route({
    method: "get",
    path: "/search/synonyms/suggestions",
    permission: "config.read",
    summary: "Synonyms for words that readers searched without a result",
    responses: settingsApi["GET /search/synonyms/suggestions"].responses,
    handler: async (req, res) => {
      const items = [...(await requireSearch(context).suggestedSynonyms())];
      await site.http.json(req, res, { items });
    },
  });
  admin.route({
    method: "put",
    path: "/search/synonyms",
    permission: "config.update",
    summary: "Set synonyms and stop words of a language, or of all; searches use them at once",
    responses: settingsApi["PUT /search/synonyms"].responses,
    body: { as: "json", limit: LIMIT, schema: settingsApi["PUT /search/synonyms"].body },
    handler: async (req, res, { body: { lang, lists: next }, identity }) => {
      const ifHash = ifMatch(req);
      const options = ifHash === undefined ? {} : { ifHash };
      const after = await requireSearch(context).synonyms.write(lang, next, options);
      const target = { type: "synonyms", id: lang };
      note(context, req, { event: "search.synonyms", actor: identity, target });
      const { supported: languages } = site.use("content").languages;
      await site.http.json(req, res, { ...after, languages });
    },
  });
}

function requireSearch({ site }: AdminContext) {
  return selected(site.use("search", { optional: true }), "search");
}

function shown({ route, title, template, score }: SearchItem) {
  return { route, title, template, score };
}
