import type { ContentAddresses, ContentView } from "../../content/contract.js";
import type {
  SearchHit,
  SearchItem,
  SearchQuery,
  SearchResult,
  SearchSection,
} from "../contract.js";
import { cutExcerpt } from "./excerpt.js";
import { readersOf } from "./language-facet.js";
import type { Source } from "../index/source.js";
import type { Sources } from "../index/sources.js";

/** Where the shown values of results come from. */
export interface ResultContext {
  readonly sources: Pick<Sources, "get" | "canSee" | "shown" | "text">;
  /** Decides what the viewer sees. */
  readonly view: ContentView;
  readonly section: SearchSection;
  readonly addresses: Pick<ContentAddresses, "urlOf">;
}

/**
 * Converts hits to API results and returns their routes; hidden and deleted documents are dropped
 * and not counted.
 */
export async function toItems(
  result: SearchResult,
  query: SearchQuery,
  context: ResultContext,
): Promise<{ items: SearchItem[]; routes: string[]; total: number }> {
  const shown = result.hits.flatMap((hit) => {
    const source = context.sources.get(hit.route);
    return source && context.sources.canSee(context.view, source) ? [{ hit, source }] : [];
  });
  const routes = shown.map(({ hit }) => hit.route);
  const items = await Promise.all(
    shown.map(({ hit, source }) => toItem(hit, source, query, context)),
  );
  return {
    items,
    routes,
    total: Math.max(items.length, result.total - (result.hits.length - items.length)),
  };
}

async function toItem(
  hit: SearchHit,
  source: Source,
  query: SearchQuery,
  { sources, section, addresses }: ResultContext,
): Promise<SearchItem> {
  const { route, title, template, date, taxonomy } = sources.shown(source);
  const { highlight, excerpt_length: length } = section;
  const cut =
    hit.excerpt === undefined
      ? cutExcerpt(await sources.text(route), { terms: query.terms, length, highlight })
      : { html: hit.excerpt, highlights: hit.highlights ?? [] };
  const type = source.kind === "record" ? source.record.type : undefined;
  return {
    route,
    ...standInOf(source, query, addresses),
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

/** Address, `lang` and `fallback` of a page that replaces a missing translation. */
function standInOf(
  source: Source,
  query: SearchQuery,
  addresses: ResultContext["addresses"],
): Partial<Pick<SearchItem, "route" | "lang" | "fallback">> {
  const readers = readersOf(query.filters);
  if (readers === null || source.kind === "record" || source.entry.lang === readers) return {};
  const { route, lang } = source.entry;
  return { route: addresses.urlOf(route, readers), lang, fallback: true };
}
