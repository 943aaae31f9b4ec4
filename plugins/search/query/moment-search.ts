/** Search at another moment: no engine has its pages, so each of them is read and scored. */
import { HttpError, type SiteContext } from "#kernel";
import { createPause, WorkQueue } from "#kernel/internal";
import type { ContentView, Moment, PageEntry, Viewer } from "../../content/contract.js";
import type { SearchAnswer, SearchDocument, SearchQuery, SearchTools } from "../contract.js";
import { pageDocument } from "../index/documents.js";
import type { PageSource, Source } from "../index/source.js";
import type { Texts } from "../index/texts.js";
import { narrow } from "./phrases.js";
import { withReaders } from "./readers.js";
import { toItems } from "./results.js";
import { scoreDocument } from "./score-document.js";

/** Reading more pages for each query would take too long. */
const MAX_PAGES = 5_000;
const SEARCHES = { concurrency: 1, length: 8, maxWaitMs: 10_000 } as const;

/** A viewer of another moment. */
export type MomentViewer = Viewer & { readonly moment: Moment };
/** Dependencies of the search. */
export interface MomentSearchParts {
  readonly site: SiteContext;
  readonly texts: Pick<Texts, "loadAt">;
  readonly tools: SearchTools;
}

interface Read {
  readonly document: SearchDocument;
  readonly source: PageSource;
}

/** Finds pages of a moment with the words, the score and the order of the built-in engine. */
export class MomentSearch {
  readonly #parts: MomentSearchParts;
  readonly #searches = new WorkQueue({ ...SEARCHES, busy });

  constructor(parts: MomentSearchParts) {
    this.#parts = parts;
  }

  /** @throws HttpError 422 for too many pages, 503 for too many searches at the same time. */
  search(query: SearchQuery, viewer: MomentViewer): Promise<SearchAnswer> {
    return this.#searches.run(() => this.#search(query, viewer));
  }

  async #search(query: SearchQuery, viewer: MomentViewer): Promise<SearchAnswer> {
    const { site, tools } = this.#parts;
    const content = site.use("content");
    const view = content.view(viewer);
    const found = await this.#read(view, viewer.moment);
    const asked = await this.#narrowed(query, found);
    const pause = createPause();
    const candidates: { document: SearchDocument; score: number }[] = [];
    for (const { document } of found.values()) {
      await pause();
      candidates.push({ document, score: scoreDocument(document, asked, tools) });
    }
    const result = tools.select(candidates, asked);
    const { items, total } = await toItems(result, asked, {
      ...{ view, addresses: content.addresses, section: site.settings.system.search },
      sources: sourcesOf(found),
    });
    const { facets = {} } = result;
    return { total, items, facets, hasMore: asked.offset + asked.limit < total };
  }

  /** The documents of the visible pages, by address. */
  async #read(view: ContentView, moment: Moment): Promise<Map<string, Read>> {
    const { texts, site } = this.#parts;
    const pages = new Map<string, PageEntry>();
    for (const entry of moment.generation().entries) {
      if (view.isListed(entry) && !pages.has(entry.url)) pages.set(entry.url, entry);
    }
    if (pages.size > MAX_PAGES) throw tooMany(pages.size);
    const pause = createPause();
    const read = new Map<string, Read>();
    for (const [url, entry] of pages) {
      await pause();
      const parts = view.modules(entry);
      const readers = view.readers(entry);
      const head = withReaders(pageDocument(entry, site.settings.system.search), readers);
      const body = await texts.loadAt(moment, [entry, ...parts]);
      // What the viewer may not see is left out already.
      const document = { ...head, body, access: "" };
      read.set(url, { document, source: { kind: "page", entry, readers, parts, rules: "" } });
    }
    return read;
  }

  /** The query with what its phrases and exclusions leave. */
  async #narrowed(query: SearchQuery, found: Map<string, Read>): Promise<SearchQuery> {
    const { extended } = query;
    if (extended === undefined) return { ...query, access: [""] };
    const { tools } = this.#parts;
    const routes = await narrow(
      {
        find: async (terms) => {
          const wanted = { terms, text: terms.join(" ") };
          const isFound = ({ document }: Read): boolean =>
            scoreDocument(document, wanted, tools) > 0;
          return [...found].flatMap(([route, read]) => (isFound(read) ? route : []));
        },
        texts: async (route) => {
          const document = found.get(route)?.document;
          if (document === undefined) return [];
          return [document.title, document.body, ...Object.values(document.taxonomy).flat()];
        },
      },
      extended,
    );
    return { ...query, access: [""], routes };
  }
}

function sourcesOf(found: ReadonlyMap<string, Read>): Parameters<typeof toItems>[2]["sources"] {
  return {
    get: (route): Source | undefined => found.get(route)?.source,
    canSee: () => true,
    shown: (source) => {
      if (source.kind === "record") return source.document;
      const { url, title, template, date, taxonomy } = source.entry;
      return { route: url, title, template, date, taxonomy };
    },
    text: async (route) => found.get(route)?.document.body ?? "",
  };
}

function tooMany(count: number): HttpError {
  const message = `search at a moment reads at most ${MAX_PAGES} pages, this one has ${count}; leave the moment to search`;
  return new HttpError(422, message, { code: "ERR_SEARCH_MOMENT" });
}

function busy(): HttpError {
  return new HttpError(503, "too many searches at a moment, try again", {
    headers: { "Retry-After": "5" },
  });
}
