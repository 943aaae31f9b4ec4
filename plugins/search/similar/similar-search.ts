import { posix } from "node:path";
import type { CacheSpace, SiteContext } from "#kernel";
import type { ContentView } from "../../content/contract.js";
import type {
  SearchAnswer,
  SearchEngine,
  SearchQuery,
  SimilarAnswer,
  SimilarItem,
  WordRange,
} from "../contract.js";
import type { EngineGuard } from "../engine-guard.js";
import type { Sources } from "../index/sources.js";
import type { Narrowing } from "../query/phrases.js";
import { toItems } from "../query/results.js";
import { compareRecency } from "../query/select.js";
import { MAX_TERM_LENGTH, isCompound } from "../query/terms.js";
import { INDEX_TAG } from "../index/search-index.js";
import { findSimilar, type SimilarHit, type SimilarSource } from "./find-similar.js";
import { SynonymFile } from "./synonym-file.js";
import type { Synonyms } from "./synonyms.js";

/** Dependencies of similar hits. */
export interface SimilarSearchOptions {
  readonly site: SiteContext;
  readonly sources: Sources;
  readonly guard: EngineGuard;
  readonly narrowing: Narrowing;
  engine(): SearchEngine;
}
/** The index and the viewer of a search. */
export interface SimilarScope {
  /** Version of the index. */
  readonly version: number;
  readonly view: ContentView;
}

/** Changed synonyms are used after at most this time. */
const REFRESH_MS = 1_000;
const MAX_ITEMS = 10;
const MAX_ENTRIES = 300;
const ITEM_BYTES = 1_000;
/** Deeper slices are not followed by similar hits. */
const NOTHING: SimilarAnswer = { similar: [], didYouMean: null };

/** Finds similar hits beside the exact ones, with any engine: typos, synonyms, stems. */
export class SimilarSearch {
  readonly #parts: SimilarSearchOptions;
  readonly #file: SynonymFile;
  readonly #answers: CacheSpace<SimilarAnswer>;
  #compounds: { readonly version: number; readonly words: Promise<readonly string[]> } | null =
    null;
  /** Unix ms. */
  #refreshedAt = -Infinity;
  #refreshed: Promise<void> = Promise.resolve();

  constructor(parts: SimilarSearchOptions) {
    this.#parts = parts;
    const { site } = parts;
    const { synonyms } = site.settings.system.search.similar;
    this.#file = new SynonymFile(site.paths.root, synonyms, site.log);
    this.#follow(posix.dirname(synonyms));
    this.#answers = site.cache.open<SimilarAnswer>("search-similar", {
      maxBytes: MAX_ENTRIES * MAX_ITEMS * ITEM_BYTES,
      maxEntries: MAX_ENTRIES,
      sizeOf: ({ similar }) => ITEM_BYTES * (1 + similar.length),
    });
  }

  /** Similar hits of a query, beside its exact result. */
  async search(
    query: SearchQuery,
    exact: SearchAnswer,
    { version, view }: SimilarScope,
  ): Promise<SimilarAnswer> {
    if (query.terms.length === 0 || query.offset > 0) return NOTHING;
    await this.#refreshAtIntervals();
    const key = `${version} ${this.#file.version} ${JSON.stringify(query)}`;
    return this.#answers.get(key, ({ tags }) => {
      tags.add(INDEX_TAG);
      return this.#compute(query, exact, { version, view });
    });
  }

  /** Looking at the file takes as long as a tenth of a search. */
  #refreshAtIntervals(): Promise<void> {
    const now = this.#parts.site.runtime.clock.now();
    if (Math.abs(now - this.#refreshedAt) >= REFRESH_MS) {
      this.#refreshedAt = now;
      this.#refreshed = this.refresh().then(() => undefined);
    }
    return this.#refreshed;
  }

  /** Reads changed synonyms; cached responses are dropped then. True when something differs. */
  async refresh(): Promise<boolean> {
    const { changes } = this.#parts.site;
    const { version, problems, isRead } = this.#file;
    await this.#file.refresh();
    // Before the first look at the file, no response was made without its synonyms.
    const isOther = isRead && this.#file.version !== version;
    const hasOtherProblems = this.#file.problems !== problems;
    if (isOther) await changes.publish({ changes: [], tags: new Set([INDEX_TAG]) });
    if (hasOtherProblems) await changes.publish({ changes: [], tags: new Set(), isFound: true });
    return isOther || hasOtherProblems;
  }

  /** Reports mistakes in the file, from the start on. */
  #follow(folder: string): void {
    const { extensions, lifecycle } = this.#parts.site;
    extensions.add("pluginProblems", () => this.#file.problems);
    lifecycle.onReady(async () => void (await this.#file.refresh()));
    // The root itself is not watched for one file.
    if (folder !== ".") extensions.add("rootFolders", { folder, read: () => this.refresh() });
  }

  /** The lists of synonyms as written, by language; those of all others under an empty one. */
  async lists(): Promise<ReturnType<SynonymFile["all"]>> {
    await this.#file.refresh();
    return this.#file.all();
  }

  /** The synonyms of the default language and of all, as read last. */
  async synonyms(): Promise<Synonyms> {
    await this.#file.refresh();
    return this.#file.of(this.#parts.site.settings.system.languages.default);
  }

  /** Words of the index; none from an engine that does not list them. */
  words(range: WordRange): Promise<readonly string[]> {
    return this.#parts.guard.ask("words", () => this.#parts.engine().words?.(range) ?? []);
  }

  async #compute(
    asked: SearchQuery,
    exact: SearchAnswer,
    { version, view }: SimilarScope,
  ): Promise<SimilarAnswer> {
    const query = await this.#parts.narrowing.apply(asked);
    const { hits, didYouMean } = await findSimilar(await this.source(query, version), {
      text: query.extended?.typed ?? query.text,
      terms: query.terms,
      total: exact.total,
      shown: new Set(exact.items.map(({ route }) => route)),
      limit: Math.min(query.limit, MAX_ITEMS),
    });
    const shownItems = await Promise.all(hits.map((hit) => this.#item(hit, query, view)));
    return { similar: shownItems.flat(), didYouMean };
  }

  /** The words of a version of the index that may contain others: looked for once. */
  #compoundsOf(version: number): Promise<readonly string[]> {
    if (this.#compounds?.version === version) return this.#compounds.words;
    const all = this.words({ prefix: "", shortest: 2, longest: MAX_TERM_LENGTH });
    const entry = { version, words: all.then((list) => list.filter(isCompound)) };
    this.#compounds = entry;
    // A failed lookup is repeated; a newer one stays.
    entry.words.catch(() => {
      if (this.#compounds === entry) this.#compounds = null;
    });
    return entry.words;
  }

  /** The result of a hit, with its own terms marked; empty for a document that was just deleted. */
  async #item(hit: SimilarHit, query: SearchQuery, view: ContentView): Promise<SimilarItem[]> {
    const { site, sources } = this.#parts;
    const { items } = await toItems(
      { total: 1, hits: [hit] },
      { ...query, terms: hit.terms },
      {
        sources,
        view,
        section: site.settings.system.search,
        addresses: site.use("content").addresses,
      },
    );
    return items.map((item) => ({ ...item, matched: hit.matched }));
  }

  /** The index as similar words see it, for the filters and the viewer of a query. */
  async source(query: SearchQuery, version: number): Promise<SimilarSource> {
    const { site, sources, guard } = this.#parts;
    const { typo, stemming } = site.settings.system.search.similar;
    const lang = query.lang ?? site.settings.system.languages.default;
    const engine = this.#parts.engine();
    const toDated = (route: string): { route: string; date: string | null } => {
      const source = sources.get(route);
      return { route, date: source === undefined ? null : sources.shown(source).date };
    };
    return {
      typo,
      synonyms: this.#file.of(lang),
      stem: stemming ? await loadStemmer(lang) : null,
      words: (range) => this.words(range),
      compounds: () => this.#compoundsOf(version),
      find: (terms, limit) => {
        const text = terms.join(" ");
        const request = { ...query, text, terms, limit, sort: "relevance" as const, facets: [] };
        return guard.ask("search", () => engine.search(request));
      },
      compare: (a, b) => compareRecency(toDated(a), toDated(b)),
    };
  }
}

/** Stemmers of the package by language code. */
const STEMMERS: Readonly<Record<string, () => Promise<{ stemmer(word: string): string }>>> = {
  ar: () => import("@orama/stemmers/arabic"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  hu: () => import("@orama/stemmers/hungarian"),
  it: () => import("@orama/stemmers/italian"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sv: () => import("@orama/stemmers/swedish"),
  tr: () => import("@orama/stemmers/turkish"),
};

/** The stemmer of a language (`de`, `de-AT`); null for one without. */
async function loadStemmer(lang: string): Promise<((word: string) => string) | null> {
  const [code = ""] = lang.toLowerCase().split("-");
  const load = Object.hasOwn(STEMMERS, code) ? STEMMERS[code] : undefined;
  return load === undefined ? null : (await load()).stemmer;
}
