/** A search engine with its own scores: BM25 as MiniSearch computes it. */
import MiniSearch from "minisearch";
import type {
  SearchDocument,
  SearchEngine,
  SearchTools,
} from "../../../plugins/search/contract.js";

/** Searches and ranks with MiniSearch; filters, counts and slices with the shared tools. */
export function createBm25Engine(tools: SearchTools): SearchEngine {
  let documents = new Map<string, SearchDocument>();
  let index = emptyIndex(tools);
  return {
    async build(stream) {
      const [next, words] = [new Map<string, SearchDocument>(), emptyIndex(tools)];
      for await (const document of stream) {
        next.set(document.route, document);
        words.add(document);
      }
      [documents, index] = [next, words];
    },
    async update({ upsert, remove }) {
      for (const route of [...remove, ...upsert.map((document) => document.route)]) {
        if (documents.delete(route)) index.discard(route);
      }
      for (const document of upsert) {
        documents.set(document.route, document);
        index.add(document);
      }
    },
    search(query) {
      const scores = new Map<unknown, number>();
      const found = index.search({ queries: [...query.terms], combineWith: "OR", prefix: true });
      for (const { id, score } of found) scores.set(id, score);
      const candidates = [...documents.values()].map((document) => ({
        document,
        score: scores.get(document.route) ?? 0,
      }));
      return tools.select(candidates, query);
    },
    suggest(prefix, limit, scope = { access: [""], lang: null }) {
      const seen = [...documents.values()].filter(
        ({ access, lang }) =>
          scope.access.includes(access) &&
          (scope.lang === null || lang === "" || lang === scope.lang),
      );
      return suggestFrom(seen, { tools, prefix: tools.normalizeText(prefix) }).slice(0, limit);
    },
  };
}

function emptyIndex(tools: SearchTools): MiniSearch<SearchDocument> {
  return new MiniSearch<SearchDocument>({
    idField: "route",
    fields: ["title", "taxonomy", "body", "others"],
    extractField: (document, field) => textOf(document, field),
    tokenize: (text) => tools.tokenize(text),
    processTerm: (term) => term,
    searchOptions: { boost: { title: 3, taxonomy: 2 } },
  });
}

function textOf(document: SearchDocument, field: string): string {
  if (field === "route") return document.route;
  if (field === "title") return document.title;
  if (field === "body") return document.body;
  const values =
    field === "taxonomy" ? Object.values(document.taxonomy).flat() : Object.values(document.fields);
  return values.join(" ");
}

/** Titles, then words by the number of documents that have them. */
function suggestFrom(
  documents: readonly SearchDocument[],
  { tools, prefix }: { tools: SearchTools; prefix: string },
): string[] {
  const titles = documents
    .map(({ title }) => title)
    .filter((title) => tools.normalizeText(title).startsWith(prefix))
    .toSorted();
  const counts = new Map<string, number>();
  for (const document of documents) {
    const fields = ["title", "taxonomy", "body", "others"];
    const words = new Set(fields.flatMap((field) => tools.tokenize(textOf(document, field))));
    for (const word of words)
      if (word.startsWith(prefix)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const known = new Set(titles.map((title) => tools.normalizeText(title)));
  const words = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return [...titles, ...words.map(([word]) => word).filter((word) => !known.has(word))];
}
