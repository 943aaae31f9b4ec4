/** Search at another moment: no engine has its pages, so it has indexes of its own. */
import { within, type SiteContext } from "#kernel";
import { createPause } from "#kernel/internal";
import type { ContentView, Moment, Viewer } from "../../content/contract.js";
import type { SearchAnswer, SearchEngine, SearchQuery } from "../contract.js";
import type { PageSource } from "../index/source.js";
import {
  indexIsBuilt,
  MomentIndexes,
  type MomentIndexParts,
  type MomentPages,
} from "./moment-index.js";
import { narrow } from "./phrases.js";
import { toItems } from "./results.js";

/** Longest wait for an index, in ms. */
const WAIT_MS = 10_000;

/** A viewer of another moment. */
export type MomentViewer = Viewer & { readonly moment: Moment };

/** Reads the text of a page of a moment, by address. */
type ReadText = (route: string) => Promise<string>;

/** Finds pages of a moment with the words, the score and the order of the built-in engine. */
export class MomentSearch {
  readonly #parts: MomentIndexParts;
  readonly #indexes: MomentIndexes;

  constructor(parts: MomentIndexParts) {
    this.#parts = parts;
    this.#indexes = new MomentIndexes(parts);
  }

  /** @throws HttpError 422 for too many pages, 503 with `Retry-After` while the index is built. */
  async search(query: SearchQuery, { moment, ...viewer }: MomentViewer): Promise<SearchAnswer> {
    const { site, texts } = this.#parts;
    const content = site.use("content");
    const view = content.view({ ...viewer, moment });
    const pages = await pagesOf(view, moment);
    const engine = await within(WAIT_MS, this.#indexes.of(pages, moment), () => {
      throw indexIsBuilt();
    });
    const read: ReadText = async (route) => {
      const page = pages.get(route);
      return page === undefined ? "" : texts.loadAt(moment, [page.entry, ...page.parts]);
    };
    const asked = await narrowed({ ...query, access: [""] }, { engine, pages, read });
    const result = await engine.search(asked);
    const { items, total } = await toItems(result, asked, {
      view,
      addresses: content.addresses,
      section: sectionOf(site),
      sources: sourcesOf(pages, read),
    });
    const { facets = {} } = result;
    return { total, items, facets, hasMore: asked.offset + asked.limit < total };
  }
}

function sectionOf({ settings }: SiteContext) {
  return settings.system.search;
}

/** The pages that the viewer sees, by address. */
async function pagesOf(view: ContentView, moment: Moment): Promise<MomentPages> {
  const pages = new Map<string, PageSource>();
  const pause = createPause();
  for (const entry of moment.generation().entries) {
    await pause();
    if (!view.isListed(entry) || pages.has(entry.url)) continue;
    const [readers, parts] = [view.readers(entry), view.modules(entry)];
    pages.set(entry.url, { kind: "page", entry, readers, parts, rules: "" });
  }
  return pages;
}

/** The query with what its phrases and exclusions leave. */
async function narrowed(
  query: SearchQuery,
  { engine, pages, read }: { engine: SearchEngine; pages: MomentPages; read: ReadText },
): Promise<SearchQuery> {
  const { extended, access } = query;
  if (extended === undefined) return query;
  const find = async (terms: readonly string[]): Promise<string[]> => {
    const { hits } = await engine.search({
      text: terms.join(" "),
      terms,
      sort: "relevance",
      facets: [],
      lang: null,
      access,
      filters: { taxonomy: {}, facets: {} },
      limit: Math.max(1, pages.size),
      offset: 0,
    });
    return hits.map(({ route }) => route);
  };
  const texts = async (route: string): Promise<string[]> => {
    const { title = "", taxonomy = {} } = pages.get(route)?.entry ?? {};
    return [title, await read(route), ...Object.values(taxonomy).flat()];
  };
  return { ...query, routes: await narrow({ find, texts }, extended) };
}

function sourcesOf(pages: MomentPages, text: ReadText): Parameters<typeof toItems>[2]["sources"] {
  return {
    get: (route) => pages.get(route),
    canSee: () => true,
    shown: (source) => {
      if (source.kind === "record") return source.document;
      const { url, title, template, date, taxonomy } = source.entry;
      return { route: url, title, template, date, taxonomy };
    },
    text,
  };
}
