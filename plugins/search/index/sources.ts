import type { SiteContext } from "#kernel";
import { createPause, START_SLICE_MS } from "#lib/concurrency";
import type { ContentChanges, ContentView, PageEntry, Viewer } from "../../content/contract.js";
import {
  collectRecords,
  isSameRecord,
  type RecordSource,
  shownFields,
  unchangedSource,
  type PageSource,
  type Source,
  SearchableModules,
  TemplateRules,
  accessKey,
  canSomebodySee,
  pageDocument,
  type DocumentHead,
} from "./documents.js";
import type { SearchDocument } from "../contract.js";
import { searchableText } from "../query/terms.js";
import { withReaders } from "../query/select.js";
import type { Texts } from "./texts.js";

/** Changes for an index to apply. */
export interface SourceChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Number of changed pages above which comparing all pages is no more expensive. */
const MAX_APPLIED = 500;
const everybody: Viewer = { roles: null, seesUnpublished: false };

/** What a look at all pages finds besides the searchable ones. */
interface Found {
  /** One page per access key, for checks against the content view. */
  readonly gated: Map<string, PageEntry>;
  /** Unix ms of the next scheduled change of a page. */
  nextChange: number;
}

function nothingFound(): Found {
  return { gated: new Map(), nextChange: Infinity };
}

/** All currently searchable items, by route. */
export class Sources {
  readonly #site: SiteContext;
  readonly #texts: Texts;
  readonly #modules: SearchableModules;
  readonly #rules: TemplateRules;
  #byRoute = new Map<string, Source>();
  /** All contributed records; a page at the same route wins. */
  #records: ReadonlyMap<string, RecordSource> = new Map();
  #found = nothingFound();
  #isCollected = false;

  constructor(site: SiteContext, texts: Texts) {
    this.#site = site;
    this.#modules = new SearchableModules(site);
    this.#rules = new TemplateRules(site);
    this.#texts = texts;
  }

  /** Number of documents. */
  get size(): number {
    return this.#byRoute.size;
  }
  /** Unix ms of the next scheduled change of a page. */
  get nextChange(): number {
    return this.#found.nextChange;
  }
  get(route: string): Source | undefined {
    return this.#byRoute.get(route);
  }
  routes(): IterableIterator<string> {
    return this.#byRoute.keys();
  }

  /** Reads the generation and all records, in slices of a few milliseconds. */
  async collect(): Promise<void> {
    const records = await collectRecords(this.#site);
    const pause = createPause(START_SLICE_MS);
    const next = new Map<string, Source>();
    const found = nothingFound();
    for (const entry of this.#searchable(found)) {
      if (!next.has(entry.url)) next.set(entry.url, this.#pageSource(entry));
      await pause();
    }
    this.#found = found;
    for (const [route, source] of records) if (!next.has(route)) next.set(route, source);
    this.#records = records;
    this.#byRoute = next;
    this.#isCollected = true;
  }

  /** Collects the records and returns added, changed and removed ones. Pages stay. */
  async refreshRecords(): Promise<SourceChanges> {
    const records = await collectRecords(this.#site);
    const [changed, removed]: [string[], string[]] = [[], []];
    for (const [route, source] of this.#byRoute) {
      if (source.kind === "record" && !records.has(route)) removed.push(route);
    }
    for (const [route, record] of records) {
      const before = this.#byRoute.get(route);
      if (before?.kind === "page" || (before && isSameRecord(before, record))) continue;
      this.#byRoute.set(route, record);
      changed.push(route);
    }
    for (const route of removed) this.#byRoute.delete(route);
    this.#records = records;
    return { changed, removed };
  }

  /**
   * Compares with the current generation and returns added, changed and removed pages. Records
   * stay.
   */
  refresh(): SourceChanges {
    const next = new Map<string, Source>();
    const changed: string[] = [];
    const found = nothingFound();
    for (const entry of this.#searchable(found)) {
      if (next.has(entry.url)) continue;
      const source = this.#pageSource(entry);
      const current = unchangedSource(this.#byRoute.get(entry.url), source);
      next.set(entry.url, current ?? source);
      if (!current) changed.push(entry.url);
    }
    for (const [route, source] of this.#records) {
      if (next.has(route)) continue;
      next.set(route, source);
      if (this.#byRoute.get(route)?.kind !== "record") changed.push(route);
    }
    const removed = [...this.#byRoute.keys()].filter((route) => !next.has(route));
    this.#found = found;
    this.#byRoute = next;
    return { changed, removed };
  }

  /** Applies a change; looks at other pages only if necessary. */
  apply(changes: Pick<ContentChanges, "created" | "updated" | "deleted">): SourceChanges {
    if (this.#concernsOthers(changes)) return this.refresh();
    const open = this.#site.use("content").view(everybody);
    const [changed, removed]: [string[], string[]] = [[], []];
    for (const entry of [...changes.created, ...changes.updated]) {
      this.#noteSchedule(entry, this.#site.runtime.clock.now(), this.#found);
      if (this.#isSearchable(entry, open, this.#found)) {
        this.#byRoute.set(entry.url, this.#pageSource(entry));
        changed.push(entry.url);
      } else if (this.#pathAt(entry.url) === entry.sourcePath) {
        // Another page may have this address: of two that appear together, one is not listed.
        this.#byRoute.delete(entry.url);
        removed.push(entry.url);
      }
    }
    for (const { url } of changes.deleted) if (this.#byRoute.delete(url)) removed.push(url);
    return { changed, removed };
  }

  /** True when addresses may have moved, or a page that represents its role rule has changed. */
  #concernsOthers({
    created,
    updated,
    deleted,
  }: Pick<ContentChanges, "created" | "updated" | "deleted">): boolean {
    const changed = [...created, ...updated, ...deleted];
    if (changed.length > MAX_APPLIED || changed.some(({ isModule }) => isModule)) return true;
    // A translation decides whether the original page replaces it.
    const { supported, main } = this.#site.use("content").languages;
    if (supported.length > 1 && changed.some(({ lang }) => lang !== main)) return true;
    if (deleted.length > 0 && created.length + updated.length > 0) return true;
    if ([...updated, ...deleted].some(({ url }) => this.#records.has(url))) return true;
    const isElsewhere = (entry: PageEntry): boolean => this.#pathAt(entry.url) !== entry.sourcePath;
    if ([...updated, ...deleted].some(isElsewhere)) return true;
    if (created.some(({ url }) => this.#byRoute.has(url))) return true;
    const samples = new Set([...this.#found.gated.values()].map(({ sourcePath }) => sourcePath));
    return [...updated, ...deleted].some(({ sourcePath }) => samples.has(sourcePath));
  }

  #pathAt(route: string): string | undefined {
    const source = this.#byRoute.get(route);
    return source?.kind === "page" ? source.entry.sourcePath : undefined;
  }

  /** Routable pages that are visible now to viewers with the right roles. */
  *#searchable(found: Found): Generator<PageEntry> {
    const content = this.#site.use("content");
    const now = this.#site.runtime.clock.now();
    const open = content.view(everybody);
    for (const entry of content.generation().entries) {
      this.#noteSchedule(entry, now, found);
      if (this.#isSearchable(entry, open, found)) yield entry;
    }
  }

  #pageSource(entry: PageEntry): PageSource {
    const content = this.#site.use("content");
    const hasOne = content.languages.supported.length < 2;
    const readers = hasOne ? [] : content.view(everybody).readers(entry);
    const parts = this.#modules.of(entry);
    return { kind: "page", entry, readers, parts, rules: this.#rules.of([entry, ...parts]) };
  }

  #isSearchable(entry: PageEntry, open: ContentView, { gated }: Found): boolean {
    const content = this.#site.use("content");
    if (!content.indexing.isInSearch(entry)) return false;
    if (entry.roles === null) return open.isListed(entry);
    if (!canSomebodySee(content.view.bind(content), entry)) return false;
    gated.set(accessKey(entry.roles), entry);
    return true;
  }

  #noteSchedule(entry: PageEntry, now: number, found: Found): void {
    for (const time of [entry.publishAt, entry.unpublishAt]) {
      if (time !== null && time > now && time < found.nextChange) found.nextChange = time;
    }
  }

  /** The access keys of a viewer, from the content view's visibility check. */
  accessOf(view: ContentView): string[] {
    const { gated } = this.#found;
    return ["", ...[...gated].filter(([, entry]) => view.canSee(entry)).map(([key]) => key)];
  }

  /** True when the viewer may read the target of a route. */
  canSee(view: ContentView, source: Source): boolean {
    return source.kind === "record" || view.canSee(source.entry);
  }

  head(source: Source): DocumentHead {
    const { supported } = this.#site.use("content").languages;
    if (source.kind === "record") return withReaders(source.document, supported);
    const head = pageDocument(source.entry, this.#site.settings.system.search);
    return withReaders(head, source.readers);
  }

  /** The fields of a document that a result shows; far cheaper than all indexed fields. */
  readonly shown = shownFields;

  async document(source: Source): Promise<SearchDocument> {
    const text =
      source.kind === "record"
        ? source.document.body
        : await this.#texts.read(source.entry, source.parts);
    return { ...this.head(source), body: searchableText(text) };
  }

  /** Routes of pages whose text could not be read and must be indexed again. */
  unread(): string[] {
    return this.#texts.unreadOf((route) => this.#pathAt(route) !== undefined);
  }

  /** Calls `listener` when another text could not be read. */
  onUnread(listener: () => void): void {
    this.#texts.onUnread = listener;
  }

  /** All documents; each text is read when its turn comes. */
  async *documents(): AsyncGenerator<SearchDocument> {
    if (!this.#isCollected) await this.collect();
    const sources = [...this.#byRoute.values()];
    for (const source of sources) yield await this.document(source);
  }

  /** Plain text for excerpts; empty for an unknown route. */
  async text(route: string): Promise<string> {
    const source = this.#byRoute.get(route);
    if (!source) return "";
    if (source.kind === "record") return source.document.body;
    return this.#texts.load(source.entry, source.parts);
  }
}
