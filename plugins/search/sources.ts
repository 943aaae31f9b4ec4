import type { SiteContext } from "#kernel";
import type { ContentView, PageEntry, Viewer } from "../content/contract.js";
import type { SearchDocument, SearchRecord } from "./contract.js";
import { accessKey, isRecord, pageDocument, recordDocument } from "./documents.js";
import type { DocumentHead } from "./documents.js";
import type { Texts } from "./texts.js";

/** Where a document comes from. */
export type Source = { kind: "page"; entry: PageEntry } | { kind: "record"; record: SearchRecord; document: SearchDocument };

const everybody: Viewer = { roles: null, seesUnpublished: false };

/** Everything that can be searched right now, by route. */
export class Sources {
  readonly #site: SiteContext;
  readonly #texts: Texts;
  #byRoute = new Map<string, Source>();
  /** One page per access key, to ask the content view with. */
  #gated = new Map<string, PageEntry>();
  #nextChange = Infinity;

  constructor(site: SiteContext, texts: Texts) {
    this.#site = site;
    this.#texts = texts;
  }

  /** Number of documents. */
  get size(): number {
    return this.#byRoute.size;
  }
  /** Unix ms at which the next page appears or disappears by its schedule. */
  get nextChange(): number {
    return this.#nextChange;
  }
  get(route: string): Source | undefined {
    return this.#byRoute.get(route);
  }
  routes(): IterableIterator<string> {
    return this.#byRoute.keys();
  }

  /** Reads generation and records anew. */
  async collect(): Promise<void> {
    const { records } = await this.#site.hooks.run("onSearchRecordsCollect", { records: [] });
    const next = new Map<string, Source>();
    this.#gated = new Map();
    for (const entry of this.#searchable()) {
      if (!next.has(entry.url)) next.set(entry.url, { kind: "page", entry });
    }
    const { settings } = this.#site;
    const defaults = { lang: settings.system.languages.default, facets: settings.system.search.facets };
    for (const record of records) {
      if (!isRecord(record)) this.#site.log.warn("search.record.refused", { record: String(JSON.stringify(record)).slice(0, 200) });
      else if (!next.has(record.route)) next.set(record.route, { kind: "record", record, document: recordDocument(record, defaults) });
    }
    this.#byRoute = next;
  }

  /** Compares with the generation of now: what is new or changed, what is gone. Records stay. */
  refresh(): { changed: PageEntry[]; removed: string[] } {
    const next = new Map<string, Source>();
    const changed: PageEntry[] = [];
    this.#gated = new Map();
    for (const entry of this.#searchable()) {
      if (next.has(entry.url)) continue;
      const before = this.#byRoute.get(entry.url);
      const same = before?.kind === "page" && (before.entry === entry || isSameEntry(before.entry, entry));
      next.set(entry.url, same ? before : { kind: "page", entry });
      if (!same) changed.push(entry);
    }
    for (const [route, source] of this.#byRoute) {
      if (source.kind === "record" && !next.has(route)) next.set(route, source);
    }
    const removed = [...this.#byRoute.keys()].filter((route) => !next.has(route));
    this.#byRoute = next;
    return { changed, removed };
  }

  /** Routable pages that somebody who holds the right roles may read now. */
  *#searchable(): Generator<PageEntry> {
    const content = this.#site.use("content");
    const now = this.#site.clock.now();
    const open = content.view(everybody);
    this.#nextChange = Infinity;
    for (const entry of content.generation().entries) {
      this.#noteSchedule(entry, now);
      if (!entry.routable || entry.isModule) continue;
      if (entry.roles === null ? !open.canSee(entry) : !canSomebodySee(content.view.bind(content), entry)) continue;
      if (entry.roles !== null) this.#gated.set(accessKey(entry.roles), entry);
      yield entry;
    }
  }

  #noteSchedule(entry: PageEntry, now: number): void {
    for (const time of [entry.publishAt, entry.unpublishAt]) {
      if (time !== null && time > now && time < this.#nextChange) this.#nextChange = time;
    }
  }

  /** The access keys of a viewer, asked of the one visibility gate. */
  accessOf(view: ContentView): string[] {
    return ["", ...[...this.#gated].filter(([, entry]) => view.canSee(entry)).map(([key]) => key)];
  }

  /** True when the viewer may read what a route leads to. */
  canSee(view: ContentView, source: Source): boolean {
    return source.kind === "record" || view.canSee(source.entry);
  }

  head(source: Source): DocumentHead {
    return source.kind === "page" ? pageDocument(source.entry, this.#site.settings.system.search) : source.document;
  }

  /** What a result shows of a document; far cheaper than all that is indexed of it. */
  shown(source: Source): Pick<DocumentHead, "route" | "title" | "template" | "date" | "taxonomy"> {
    if (source.kind === "record") return source.document;
    const { url, title, template, date, taxonomy } = source.entry;
    return { route: url, title, template, date, taxonomy };
  }

  document(source: Source): SearchDocument {
    if (source.kind === "record") return source.document;
    return { ...this.head(source), body: this.#texts.read(source.entry) };
  }

  /** Every document, its text read when its turn comes. */
  async *documents(): AsyncGenerator<SearchDocument> {
    for (const source of [...this.#byRoute.values()]) yield this.document(source);
  }

  /** Plain text for excerpts; empty for an unknown route. */
  text(route: string): string {
    const source = this.#byRoute.get(route);
    if (!source) return "";
    return source.kind === "page" ? this.#texts.load(source.entry) : source.document.body;
  }
}

function canSomebodySee(view: (viewer: Viewer) => ContentView, entry: PageEntry): boolean {
  const roles = [...(entry.roles?.all ?? []), ...(entry.roles?.any ?? [])];
  return view({ roles, seesUnpublished: false }).canSee(entry);
}

/** True when nothing that is indexed of a page differs. */
function isSameEntry(a: PageEntry, b: PageEntry): boolean {
  return a.hash === b.hash && a.sourcePath === b.sourcePath && a.template === b.template && a.title === b.title && a.date === b.date && a.lang === b.lang;
}
