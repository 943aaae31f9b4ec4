import type { ContentView } from "../content/contract.js";
import type {
  SearchHit,
  SearchItem,
  SearchQuery,
  SearchResult,
  SearchSection,
} from "./contract.js";
import { cutExcerpt } from "./excerpt.js";
import type { Source, Sources } from "./sources.js";

/** Hits as the API shows them; those the viewer may not see, or that are gone, fall away and are not counted. */
export async function toItems(
  result: SearchResult,
  query: SearchQuery,
  by: { sources: Sources; view: ContentView; section: SearchSection },
): Promise<{ items: SearchItem[]; total: number }> {
  const items = await Promise.all(
    result.hits.flatMap((hit) => {
      const source = by.sources.get(hit.route);
      if (!source || !by.sources.canSee(by.view, source)) return [];
      return toItem(hit, source, { query, ...by });
    }),
  );
  return {
    items,
    total: Math.max(items.length, result.total - (result.hits.length - items.length)),
  };
}

async function toItem(
  hit: SearchHit,
  source: Source,
  by: { query: SearchQuery; sources: Sources; section: SearchSection },
): Promise<SearchItem> {
  const { route, title, template, date, taxonomy } = by.sources.shown(source);
  const { highlight, excerpt_length: length } = by.section;
  const cut =
    hit.excerpt === undefined
      ? cutExcerpt(await by.sources.text(route), { terms: by.query.terms, length, highlight })
      : { html: hit.excerpt, highlights: hit.highlights ?? [] };
  const type = source.kind === "record" ? source.record.type : undefined;
  return {
    route,
    title,
    template,
    date: date ?? "",
    taxonomy,
    score: hit.score,
    excerpt: cut.html,
    ...(highlight && { highlights: cut.highlights }),
    ...(type !== undefined && { type }),
  };
}
