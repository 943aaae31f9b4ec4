import { z } from "zod";
import type { SearchItem } from "../../../search/contract.js";
import { ifMatch, note, selected, type RouteParts } from "../route-parts.js";

const LIMIT = 1_048_576;
const MAX_RESULTS = 20;
const text = z.string();
const error = z.object({ error: text });
const word = text.min(1).max(100);
const lists = z.object({
  groups: z.array(z.array(word)).describe("Words that mean the same"),
  one_way: z.record(word, z.array(word)).describe("A word to what is found in its place as well"),
  stop: z.array(word).describe("Words for which nothing similar is looked up"),
});
const synonyms = z.object({
  path: text,
  hash: text,
  problem: text.nullable(),
  lists: z.record(z.string(), lists).describe("By language; those of all under an empty name"),
  languages: z.array(text),
});
const suggested = z.object({
  items: z.array(
    z.object({
      word: text.describe("Searched without a result"),
      searches: z.int(),
      candidates: z.array(text).describe("Words of the site that readers may have meant"),
    }),
  ),
});
const explanation = z.object({
  score: z.number(),
  terms: z.array(
    z.object({
      term: text,
      matches: z.array(z.object({ field: text, count: z.number(), points: z.number() })),
    }),
  ),
  exactTitle: z.number().describe("Points for a title equal to the query"),
  factor: z.number().describe("1.5 when every one of several words matches"),
});
const hit = z.object({ route: text, title: text, template: text, score: z.number() });
const explained = z.object({
  total: z.int(),
  items: z.array(hit.extend({ explanation: explanation.nullable() })),
  similar: z.array(hit.extend({ matched: z.enum(["typo", "synonym", "stem", "part"]) })),
  didYouMean: text.nullable(),
  engine: text,
});
const explainQuery = z.object({
  q: text.max(256),
  lang: text.max(20).optional().describe("Pages of this language; default: all"),
});
const body = z.object({ lang: text.max(20).default(""), lists });

/** Explains results, and edits synonyms and stop words. */
export function searchRoutes(parts: RouteParts): void {
  addExplain(parts);
  addSynonyms(parts);
}

function addExplain(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/search/explain",
    permission: "pages.read",
    summary: "What anonymous visitors find, and why; not counted in the analytics",
    responses: { 200: explained, 404: error, 503: error },
    query: explainQuery,
    handler: async (req, res, { query: { q, lang } }) => {
      const search = searchOf(parts);
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

function addSynonyms(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/search/synonyms",
    permission: "config.read",
    summary: "The file of synonyms and stop words",
    responses: { 200: synonyms, 404: error },
    handler: async (req, res) => {
      const read = await searchOf(parts).synonyms.read();
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
    responses: { 200: suggested, 404: error, 503: error },
    handler: async (req, res) => {
      const items = [...(await searchOf(parts).suggestedSynonyms())];
      await site.http.json(req, res, { items });
    },
  });
  admin.route({
    method: "put",
    path: "/search/synonyms",
    permission: "config.update",
    summary: "Set synonyms and stop words of a language, or of all; searches use them at once",
    responses: { 200: synonyms, 404: error, 409: error },
    body: { as: "json", limit: LIMIT, schema: body },
    handler: async (req, res, { body: { lang, lists: next }, identity }) => {
      const ifHash = ifMatch(req);
      const options = ifHash === undefined ? {} : { ifHash };
      const after = await searchOf(parts).synonyms.write(lang, next, options);
      const target = { type: "synonyms", id: lang };
      note(parts, req, { event: "search.synonyms", actor: identity, target });
      const { supported: languages } = site.use("content").languages;
      await site.http.json(req, res, { ...after, languages });
    },
  });
}

function searchOf({ site }: RouteParts) {
  return selected(site.use("search", { optional: true }), "search");
}

function shown({ route, title, template, score }: SearchItem) {
  return { route, title, template, score };
}
