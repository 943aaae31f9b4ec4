import type { SiteContext } from "#kernel";
import type { SearchDocument, SearchEngine, SearchQuery } from "./contract.js";
import { queryTerms } from "./query/terms.js";

const SHOWN = 20;

/** How two engines respond to one query. */
export interface Comparison {
  readonly query: string;
  /** Share of the first 20 routes that both found. */
  readonly overlap: number;
  readonly sameOrder: boolean;
  readonly leftMs: number;
  readonly rightMs: number;
}

/** Builds both engines from the site's documents and sends them the same queries. */
export async function compareEngines(
  site: SiteContext,
  by: { left: string; right: string; documents: () => AsyncIterable<SearchDocument> },
  queries: readonly string[],
): Promise<Comparison[]> {
  const slot = site.engines.slot("search");
  const [left, right] = [slot.get(by.left), slot.get(by.right)];
  if (!left || !right) return [];
  await left.build(by.documents());
  await right.build(by.documents());
  const rows: Comparison[] = [];
  for (const query of queries) {
    const [a, b] = [await ask(left, query), await ask(right, query)];
    const both = a.routes.filter((route) => b.routes.includes(route)).length;
    const most = Math.max(a.routes.length, b.routes.length);
    rows.push({
      query,
      overlap: most === 0 ? 1 : both / most,
      sameOrder: a.routes.join("\n") === b.routes.join("\n"),
      leftMs: a.ms,
      rightMs: b.ms,
    });
  }
  return rows;
}

async function ask(engine: SearchEngine, text: string): Promise<{ routes: string[]; ms: number }> {
  const query: SearchQuery = {
    text,
    terms: queryTerms(text),
    filters: { taxonomy: {}, facets: {} },
    sort: "relevance",
    limit: SHOWN,
    offset: 0,
    lang: null,
    access: [""],
    facets: [],
  };
  const started = performance.now();
  const { hits } = await engine.search(query);
  return { routes: hits.map((hit) => hit.route), ms: performance.now() - started };
}
