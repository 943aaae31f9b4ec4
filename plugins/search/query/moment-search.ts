/** Search at another moment: no engine has its pages, so it has indexes of its own. */
import { within, type SiteContext, HttpError, type CacheSpace } from "#kernel";
import { createPause, WorkQueue } from "#lib/concurrency";
import { sha256 } from "#lib/secrets";
import type { ContentView, Moment, Viewer } from "../../content/contract.js";
import type {
  SearchAnswer,
  SearchEngine,
  SearchQuery,
  SearchDocument,
  SearchTools,
} from "../contract.js";
import { type PageSource, partsPrint, shownFields, pageDocument } from "../index/documents.js";
import { createBuiltinEngine } from "../engines/builtin/builtin-engine.js";
import type { Texts } from "../index/texts.js";
import { toAnyTermQuery, narrow } from "./phrases.js";
import { toItems } from "./results.js";
import { withReaders } from "./select.js";

/** Longest wait for an index, in ms. */
const WAIT_MS = 10_000;

/** A viewer of another moment. */
export type MomentViewer = Viewer & { readonly moment: Moment };

/** Reads the text of a page of a moment, by address. */
type ReadText = (route: string) => Promise<string>;

/** Finds pages of a moment with the words, the score and the order of the built-in engine. */
export class MomentSearch {
  readonly #options: MomentSearchOptions;
  readonly #indexes: MomentIndexes;

  constructor(options: MomentSearchOptions) {
    this.#options = options;
    this.#indexes = new MomentIndexes(options);
  }

  /** @throws HttpError 422 for too many pages, 503 with `Retry-After` while the index is built. */
  async search(query: SearchQuery, { moment, ...viewer }: MomentViewer): Promise<SearchAnswer> {
    const { site, texts } = this.#options;
    const content = site.use("content");
    const view = content.view({ ...viewer, moment });
    const pages = await collectPages(view, moment);
    const engine = await within(WAIT_MS, this.#indexes.of(pages, moment), () => {
      throw indexIsBuilt();
    });
    const read: ReadText = async (route) => {
      const page = pages.get(route);
      return page === undefined ? "" : texts.loadAt(moment, [page.entry, ...page.parts]);
    };
    const asked = await narrowed({ ...query, access: [""] }, engine, pages, read);
    const result = await engine.search(asked);
    const { items, total } = await toItems(result, asked, {
      view,
      addresses: content.addresses,
      section: site.settings.system.search,
      sources: {
        get: (route) => pages.get(route),
        // The pages are those that the viewer sees.
        canSee: () => true,
        shown: shownFields,
        text: read,
      },
    });
    const { facets = {} } = result;
    return { total, items, facets, hasMore: asked.offset + asked.limit < total };
  }
}

/** The pages that the viewer sees, by address. */
async function collectPages(view: ContentView, moment: Moment): Promise<MomentPages> {
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
  engine: SearchEngine,
  pages: MomentPages,
  read: ReadText,
): Promise<SearchQuery> {
  const { extended, access } = query;
  if (extended === undefined) return query;
  const find = async (terms: readonly string[]): Promise<string[]> => {
    const { hits } = await engine.search(toAnyTermQuery(terms, access, pages.size));
    return hits.map(({ route }) => route);
  };
  const texts = async (route: string): Promise<string[]> => {
    const { title = "", taxonomy = {} } = pages.get(route)?.entry ?? {};
    return [title, await read(route), ...Object.values(taxonomy).flat()];
  };
  return { ...query, routes: await narrow({ find, texts }, extended) };
}

/** Pages of a moment, and characters of their texts: as many as a commit may have. */
const MAX_PAGES = 20_000;
const MAX_LENGTH = 128 * 1_048_576;
/** Bytes of all indexes, and how many. */
const MAX_BYTES = 192 * 1_048_576;
const MAX_INDEXES = 4;
/** Unused indexes are dropped after this time, in ms. */
const IDLE_MS = 15 * 60_000;
/** Pages that are read at the same time: those of a commit with one git command. */
const BATCH = 64;
/** Bytes of a page in an index, besides its text. */
const PAGE_BYTES = 1_000;
const BUILDS = { concurrency: 1, length: 8, maxWaitMs: 60_000 } as const;

/** The visible pages of a moment, by address. */
type MomentPages = ReadonlyMap<string, PageSource>;
/** Dependencies of the search at moments. */
interface MomentSearchOptions {
  readonly site: SiteContext;
  readonly texts: Pick<Texts, "loadAt">;
  /** The points of the score. */
  readonly tools: SearchTools;
}
interface Indexed {
  readonly engine: Required<SearchEngine>;
  readonly bytes: number;
}

/** Indexes by what they contain: viewers and moments with the same pages share one. */
class MomentIndexes {
  readonly #options: MomentSearchOptions;
  readonly #builds = new WorkQueue({ ...BUILDS, busy: indexIsBuilt });
  readonly #indexes: CacheSpace<Indexed>;

  constructor(options: MomentSearchOptions) {
    this.#options = options;
    this.#indexes = options.site.cache.open<Indexed>("search-at-moments", {
      maxBytes: MAX_BYTES,
      maxEntries: MAX_INDEXES,
      idleMs: IDLE_MS,
      untagged: true,
      sizeOf: ({ bytes }) => bytes,
    });
  }

  /**
   * Returns the index of these pages. A build goes on after its callers have left.
   * @throws HttpError 422 for too many pages or too long texts, 503 when other indexes are built.
   */
  async of(pages: MomentPages, moment: Moment): Promise<SearchEngine> {
    if (pages.size > MAX_PAGES) throw tooLarge(`${pages.size} pages`);
    const { version } = this.#options.site.use("content").blueprints;
    const { engine } = await this.#indexes.get(`${version} ${fingerprint(pages)}`, () =>
      this.#builds.run(() => this.#build(pages, moment)),
    );
    return engine;
  }

  async #build(pages: MomentPages, moment: Moment): Promise<Indexed> {
    const engine = createBuiltinEngine(this.#options.tools.points);
    let bytes = 0;
    await engine.build(this.#documents(pages, moment, (added) => (bytes += added)));
    return { engine, bytes };
  }

  /** The documents of the pages; `grow` adds the bytes of one and returns those of all so far. */
  async *#documents(
    pages: MomentPages,
    moment: Moment,
    grow: (bytes: number) => number,
  ): AsyncGenerator<SearchDocument> {
    const section = this.#options.site.settings.system.search;
    const list = [...pages.values()];
    for (let at = 0; at < list.length; at += BATCH) {
      const batch = list.slice(at, at + BATCH);
      const bodies = await Promise.all(
        batch.map(({ entry, parts }) => this.#options.texts.loadAt(moment, [entry, ...parts])),
      );
      for (const [index, { entry, readers }] of batch.entries()) {
        const body = bodies[index] ?? "";
        if (grow(PAGE_BYTES + body.length) > MAX_LENGTH) throw tooLarge("more characters");
        const head = withReaders(pageDocument(entry, section), readers);
        // The pages are only those that the viewer may see.
        yield { ...head, body, access: "" };
      }
    }
  }
}

/** A fingerprint of the pages, which differs when their indexes do. */
function fingerprint(pages: MomentPages): string {
  const lines: string[] = [];
  for (const [url, { entry, readers, parts }] of pages) {
    lines.push(url, entry.sourcePath, entry.hash, readers.join(), partsPrint(parts));
  }
  return sha256(lines.join("\n"));
}

/** The error of a search whose index is not complete yet. */
function indexIsBuilt(): HttpError {
  return new HttpError(503, "the search index of this moment is being built, try again", {
    headers: { "Retry-After": "5" },
  });
}

function tooLarge(size: string): HttpError {
  const message = `search at a moment reads at most ${MAX_PAGES} pages with ${MAX_LENGTH} characters, this one has ${size}; leave the moment to search`;
  return new HttpError(422, message, { code: "ERR_SEARCH_MOMENT" });
}
