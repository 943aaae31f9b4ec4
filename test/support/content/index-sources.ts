import type { SearchDocument } from "../../../plugins/search/contract.js";
import type { IndexSources } from "../../../plugins/search/client/export-index.js";
import type { Source } from "../../../plugins/search/index/documents.js";
import { pageEntry } from "./markdown-pages.js";

const GATED = { roles: { all: ["member"], any: [] } };

/** Documents in memory, as source for the index of an export. */
export function indexSources(documents: readonly SearchDocument[]): IndexSources {
  const byRoute = new Map(documents.map((document) => [document.route, document]));
  const sourceOf = (document: SearchDocument): Source => {
    const { route, title, body } = document;
    if (document.access !== "")
      return { kind: "page", entry: pageEntry(route, GATED), readers: [], parts: [], rules: "" };
    return { kind: "record", record: { route, title, body }, document };
  };
  const documentOf = (route: string): SearchDocument => {
    const document = byRoute.get(route);
    if (document === undefined) throw new Error(`there is no ${route}`);
    return document;
  };
  const routeOf = (source: Parameters<IndexSources["head"]>[0]): string =>
    source.kind === "record" ? source.record.route : source.entry.url;
  return {
    routes: () => byRoute.keys(),
    get: (route) => {
      const document = byRoute.get(route);
      return document && sourceOf(document);
    },
    head: (source) => documentOf(routeOf(source)),
    shown: (source) => documentOf(routeOf(source)),
    document: async (source) => documentOf(routeOf(source)),
  };
}
