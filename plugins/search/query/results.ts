import type { CacheSpace, SiteContext } from "#kernel";
import type { ContentAddresses, ContentView } from "../../content/contract.js";
import type {
  SearchHit,
  SearchItem,
  SearchQuery,
  SearchResult,
  SearchSection,
  SearchSectionHit,
} from "../contract.js";
import { cutExcerpt, findMatches } from "./excerpt.js";
import { readersOf } from "./select.js";
import type { Source } from "../index/documents.js";
import type { Sources } from "../index/sources.js";
import type { Rendered } from "../../markdown/contract.js";

/** The sources of the values that results show. */
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
    ...toStandIn(source, query, addresses),
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
function toStandIn(
  source: Source,
  query: SearchQuery,
  addresses: ResultContext["addresses"],
): Partial<Pick<SearchItem, "route" | "lang" | "fallback">> {
  const readers = readersOf(query.filters);
  if (readers === null || source.kind === "record" || source.entry.lang === readers) return {};
  const { route, lang } = source.entry;
  return { route: addresses.urlOf(route, readers), lang, fallback: true };
}

/** The text below one heading. */
interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const MAX_PAGES = 8;
const MAX_SECTIONS = 3;
const EXCERPT_LENGTH = 90;
const MAX_BYTES = 8 * 1024 * 1024;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** Finds the sections of pages that a query matches, with the anchors of their headings. */
export class SectionSearch {
  readonly #site: SiteContext;
  readonly #sources: Sources;
  /** By address and hash: the sections of a page in one version. */
  readonly #sections: CacheSpace<readonly PageSection[]>;

  constructor(site: SiteContext, sources: Sources) {
    this.#site = site;
    this.#sources = sources;
    this.#sections = site.cache.open<readonly PageSection[]>("search-sections", {
      maxBytes: MAX_BYTES,
      untagged: true,
      sizeOf: (all) => all.reduce((sum, { text }) => sum + 2 * text.length + 200, 200),
    });
  }

  /** The best sections of the first items, by route; items without any are left out. */
  async of(
    items: readonly SearchItem[],
    terms: readonly string[],
    view: ContentView,
  ): Promise<Record<string, readonly SearchSectionHit[]>> {
    const byRoute: Record<string, readonly SearchSectionHit[]> = {};
    for (const { route } of terms.length === 0 ? [] : items.slice(0, MAX_PAGES)) {
      const sections = matching(await this.#of(route, view), terms);
      if (sections.length > 0) byRoute[route] = sections;
    }
    return byRoute;
  }

  async #of(route: string, view: ContentView): Promise<readonly PageSection[]> {
    const source = this.#sources.get(route);
    if (source?.kind !== "page" || !view.canSee(source.entry)) return [];
    const { entry } = source;
    return this.#sections.get(`${route} ${entry.hash}`, async () => {
      const { html, headings } = await this.#site.use("markdown").render(await view.load(entry));
      return split(html, headings);
    });
  }
}

/** The text between the headings of rendered HTML; text before the first heading has no anchor. */
function split(html: string, headings: Rendered["headings"]): PageSection[] {
  const starts: { at: number; id: string; title: string }[] = [];
  let from = 0;
  for (const { id, text } of headings) {
    const at = html.indexOf(`id="${id}"`, from);
    if (id === "" || at < 0) continue;
    starts.push({ at, id, title: text });
    from = at;
  }
  return starts.map(({ at, id, title }, index) => {
    const closed = html.indexOf("</h", at);
    const start = html.indexOf(">", closed < 0 ? at : closed) + 1;
    return { id, title, text: plainText(html.slice(start, starts[index + 1]?.at)) };
  });
}

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>?/g, " ")
    .replace(/&#x([0-9a-f]{1,6});/gi, (all, code: string) =>
      decodeCharacter(parseInt(code, 16), all),
    )
    .replace(/&(amp|lt|gt|quot);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/\s+/g, " ")
    .trim();
}

function decodeCharacter(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

/** Sections with most of the terms first; a term in the heading counts most. */
function matching(sections: readonly PageSection[], terms: readonly string[]): SearchSectionHit[] {
  return sections
    .flatMap(({ id, title, text }, at) => {
      const inTitle = new Set(findMatches(title, terms).map(({ term }) => term)).size;
      const inText = new Set(findMatches(text, terms).map(({ term }) => term)).size;
      const worth = inTitle * 2 + inText;
      const { html } = cutExcerpt(text, { terms, length: EXCERPT_LENGTH, highlight: true });
      return worth === 0 ? [] : [{ worth, at, hit: { id, title, excerpt: html } }];
    })
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
    .slice(0, MAX_SECTIONS)
    .map(({ hit }) => hit);
}
