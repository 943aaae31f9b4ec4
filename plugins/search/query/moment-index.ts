/** Indexes of the pages of moments: built for the first query, and cached. */
import { HttpError, type CacheSpace, type SiteContext } from "#kernel";
import { sha256, WorkQueue } from "#kernel/internal";
import type { Moment } from "../../content/contract.js";
import type { SearchDocument, SearchEngine, SearchTools } from "../contract.js";
import { createBuiltinEngine } from "../engines/builtin/builtin-engine.js";
import { pageDocument } from "../index/documents.js";
import { partsPrint } from "../index/searchable-modules.js";
import type { PageSource } from "../index/source.js";
import type { Texts } from "../index/texts.js";
import { withReaders } from "./readers.js";

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
export type MomentPages = ReadonlyMap<string, PageSource>;
/** Dependencies of the indexes. */
export interface MomentIndexParts {
  readonly site: SiteContext;
  readonly texts: Pick<Texts, "loadAt">;
  readonly tools: SearchTools;
}
interface Indexed {
  readonly engine: Required<SearchEngine>;
  readonly bytes: number;
}

/** Indexes by what they contain: viewers and moments with the same pages share one. */
export class MomentIndexes {
  readonly #parts: MomentIndexParts;
  readonly #builds = new WorkQueue({ ...BUILDS, busy: indexIsBuilt });
  readonly #indexes: CacheSpace<Indexed>;

  constructor(parts: MomentIndexParts) {
    this.#parts = parts;
    this.#indexes = parts.site.cache.open<Indexed>("search-at-moments", {
      maxBytes: MAX_BYTES,
      maxEntries: MAX_INDEXES,
      idleMs: IDLE_MS,
      untagged: true,
      sizeOf: ({ bytes }) => bytes,
    });
  }

  /**
   * The index of these pages. A build goes on after its callers have left.
   * @throws HttpError 422 for too many pages or too long texts, 503 when other indexes are built.
   */
  async of(pages: MomentPages, moment: Moment): Promise<SearchEngine> {
    if (pages.size > MAX_PAGES) throw tooLarge(`${pages.size} pages`);
    const { version } = this.#parts.site.use("content").blueprints;
    const { engine } = await this.#indexes.get(`${version} ${printOf(pages)}`, () =>
      this.#builds.run(() => this.#build(pages, moment)),
    );
    return engine;
  }

  async #build(pages: MomentPages, moment: Moment): Promise<Indexed> {
    const engine = createBuiltinEngine(this.#parts.tools.points);
    const size = { bytes: 0 };
    await engine.build(this.#documents(pages, moment, size));
    return { engine, ...size };
  }

  async *#documents(
    pages: MomentPages,
    moment: Moment,
    size: { bytes: number },
  ): AsyncGenerator<SearchDocument> {
    const section = this.#parts.site.settings.system.search;
    const list = [...pages.values()];
    for (let at = 0; at < list.length; at += BATCH) {
      const batch = list.slice(at, at + BATCH);
      const bodies = await Promise.all(
        batch.map(({ entry, parts }) => this.#parts.texts.loadAt(moment, [entry, ...parts])),
      );
      for (const [place, { entry, readers }] of batch.entries()) {
        const body = bodies[place] ?? "";
        size.bytes += PAGE_BYTES + body.length;
        if (size.bytes > MAX_LENGTH) throw tooLarge("more characters");
        const head = withReaders(pageDocument(entry, section), readers);
        // What the viewer may not see is left out already.
        yield { ...head, body, access: "" };
      }
    }
  }
}

/** Differs when the index of the pages would. */
function printOf(pages: MomentPages): string {
  const lines: string[] = [];
  for (const [url, { entry, readers, parts }] of pages) {
    lines.push(url, entry.sourcePath, entry.hash, readers.join(), partsPrint(parts));
  }
  return sha256(lines.join("\n"));
}

/** The error of a search whose index is not complete yet. */
export function indexIsBuilt(): HttpError {
  return new HttpError(503, "the search index of this moment is being built, try again", {
    headers: { "Retry-After": "5" },
  });
}

function tooLarge(size: string): HttpError {
  const message = `search at a moment reads at most ${MAX_PAGES} pages with ${MAX_LENGTH} characters, this one has ${size}; leave the moment to search`;
  return new HttpError(422, message, { code: "ERR_SEARCH_MOMENT" });
}
