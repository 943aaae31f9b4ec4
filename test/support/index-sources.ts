import type { SearchDocument } from "../../plugins/search/contract.js";
import type { IndexSources } from "../../plugins/search/client/export-index.js";

/** Documents in memory, as an index of an export is made from them. */
export function indexSources(documents: readonly SearchDocument[]): IndexSources {
  const byRoute = new Map(documents.map((document) => [document.route, document]));
  const recordOf = (document: SearchDocument) => {
    const { route, title, body } = document;
    return { kind: "record" as const, record: { route, title, body }, document };
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
      return document && recordOf(document);
    },
    head: (source) => documentOf(routeOf(source)),
    document: (source) => documentOf(routeOf(source)),
  };
}
