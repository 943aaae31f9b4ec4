import { posix } from "node:path";
import type { Caches } from "#kernel";
import { sameName } from "#lib/text";
import type { MediaItem, Page, PageEntry, ContentService, Moment } from "../../content/contract.js";
import type { FindImageAttributes, RenderNeeds } from "../contract.js";
import type { Facts, ReferenceFact } from "../render/render-job.js";
import {
  PageTable,
  decoded,
  parentFolder,
  readFragment,
  looseTargets,
  mayBePage,
  splitReference,
  resolveTarget,
  type Reference,
} from "./page-table.js";
import { WrittenAnchors } from "./written-anchors.js";

/** Dependencies of the resolver. */
export interface ReferenceSources {
  content: ReferredContent;
  /** Language codes. */
  languages: readonly string[];
  /** True for a page whose HTML is not sanitised. */
  isTrusted(entry: PageEntry): boolean;
  readonly imageAttributes: FindImageAttributes;
  cache: Pick<Caches, "open">;
}

// Paths without a language prefix: assets, media, APIs, accounts.
const WITHOUT_LANGUAGE =
  /^\/(?:themes|content-media|api|admin|auth|uploads|_site|health|plugins)(?:\/|$)/;

/** Resolves references of a body to URLs: its media, other content files, root-relative paths. */
export class ReferenceResolver {
  readonly #sources: ReferenceSources;
  readonly #anchors: WrittenAnchors;
  readonly #pages: PageTable;

  constructor(sources: ReferenceSources, anchors = new WrittenAnchors(sources)) {
    this.#sources = sources;
    this.#anchors = anchors;
    this.#pages = new PageTable(sources.content);
  }

  /** The resolver of the content that a page refers to: that of its moment, else this one. */
  of({ moment }: Page): ReferenceResolver {
    if (moment === undefined) return this;
    const content = selectContent(moment, this.#sources.content);
    return new ReferenceResolver({ ...this.#sources, content }, this.#anchors.in(content));
  }

  /** A fragment of the page itself, as it is in the page's HTML. */
  async ownFragment({ entry }: Page, fragment: string): Promise<string> {
    return (await this.#anchors.resolveFragment(entry, fragment)) ?? fragment;
  }

  /**
   * The URL of a reference to a file of the page's folder or to another page; null when unknown.
   */
  resolve(page: Page, written: string): string | null {
    const reference = splitReference(written);
    if (reference === null) return null;
    const item = this.#ownMedia(page, reference);
    if (item !== undefined) return item.url + reference.suffix;
    return this.#pageUrl(page.entry, reference);
  }

  /**
   * The facts of all references that resolve; includes media of other folders. Attributes of images, whose
   * files are read for them, are only for those who need the `page`.
   */
  async facts(
    page: Page,
    references: readonly string[],
    needs: RenderNeeds = "page",
  ): Promise<Facts> {
    const facts = new Map<string, ReferenceFact>();
    const folders = new Map([[page.entry.folder, Promise.resolve(page.media)]]);
    for (const written of references) {
      const fact = await this.#fact(page, written, folders, needs);
      if (fact !== null) facts.set(written, fact);
    }
    return facts;
  }

  /** Read tags of the targets of references, including targets that do not exist yet. */
  reads(page: Page, references: readonly string[]): readonly string[] {
    const generation = this.#sources.content.generation();
    const tags = new Set<string>();
    for (const written of references) {
      const reference = splitReference(written);
      for (const target of reference === null ? [] : this.#targets(page.entry, reference)) {
        const entry = this.#pages.at(target);
        tags.add(`page:${entry?.sourcePath ?? target}`);
        if (entry === undefined) tags.add(`media:${parentFolder(target)}`);
        else addTranslation(tags, generation.at(entry.route, readersOf(page.entry)));
      }
      for (const tag of this.#looseReads(page.entry, reference)) tags.add(tag);
      for (const tag of this.#anchorReads(page.entry, reference)) tags.add(tag);
    }
    return [...tags];
  }

  /** A page found by a loose path changes with any page of the tree. */
  #looseReads(from: PageEntry, reference: Reference | null): readonly string[] {
    return reference !== null && this.#isLoose(from, reference) ? ["list"] : [];
  }

  /** Read tags of the lookup of a fragment's page by route. */
  #anchorReads(from: PageEntry, reference: Reference | null): Iterable<string> {
    const hasPage = reference === null || this.#pageOf(from, reference) !== undefined;
    if (hasPage || readFragment(reference) === "") return [];
    return this.#routed(from, reference).reads;
  }

  async #fact(
    page: Page,
    written: string,
    folders: Map<string, Promise<readonly MediaItem[]>>,
    needs: RenderNeeds,
  ): Promise<ReferenceFact | null> {
    const reference = splitReference(written);
    if (reference === null) return null;
    const url = await this.#linkUrl(page.entry, written, reference);
    if (url !== null) return { url };
    const files = [...this.#targets(page.entry, reference), ...publicFile(reference.path)];
    for (const target of files) {
      const folder = parentFolder(target);
      const media = folders.get(folder) ?? this.#sources.content.media(folder);
      folders.set(folder, media);
      const item = (await media).find(({ name }) => sameName(name, posix.basename(target)));
      if (item === undefined) continue;
      const { suffix } = reference;
      return needs === "page"
        ? this.#mediaFact(item, page.entry, suffix)
        : { url: item.url + suffix };
    }
    return null;
  }

  /** The URL of a page with the fragment of its anchor; null to leave the reference as written. */
  async #linkUrl(from: PageEntry, written: string, reference: Reference): Promise<string | null> {
    const url = this.#pageUrl(from, reference);
    const fragment = readFragment(reference);
    if (fragment === "") return url;
    const entry = this.#pageOf(from, reference) ?? this.#routed(from, reference).entry;
    const anchor = entry && (await this.#anchors.resolveFragment(entry, fragment));
    return anchor ? (url ?? written.trim()).slice(0, -fragment.length) + anchor : url;
  }

  async #mediaFact(item: MediaItem, page: PageEntry, suffix: string): Promise<ReferenceFact> {
    const fact: ReferenceFact = { url: item.url + suffix };
    if (typeof item.meta["alt"] === "string") fact.alt = item.meta["alt"];
    if (typeof item.meta["title"] === "string") fact.title = item.meta["title"];
    if (item.type.startsWith("image/") && suffix === "") {
      fact.attributes = await this.#sources.imageAttributes(item, page);
    }
    return fact;
  }

  #ownMedia(page: Page, reference: Reference): MediaItem | undefined {
    const names = this.#targets(page.entry, reference)
      .filter((target) => parentFolder(target) === page.entry.folder)
      .map((target) => posix.basename(target));
    return page.media.find(({ name }) => names.some((written) => sameName(name, written)));
  }

  /** Paths below the content folder that a reference may mean, most likely first. */
  #targets(from: PageEntry, { path }: Reference): string[] {
    const target = resolveTarget(from, path);
    if (target === null) return [];
    // Relative to the root of a repository, as its host displays it.
    const below = path.startsWith("/")
      ? this.#sources.content.addresses.belowContent(target)
      : null;
    return below === null ? [target] : [target, below];
  }

  #pageUrl(from: PageEntry, reference: Reference): string | null {
    const { path, suffix } = reference;
    const entry = this.#pageOf(from, reference);
    if (entry !== undefined) {
      return this.#sources.content.addressIn(entry, readersOf(from)) + suffix;
    }
    return path.startsWith("/") ? this.#withLanguage(path, readersOf(from), suffix) : null;
  }

  /** The page that a reference names, in the language of the referring page. */
  #pageOf(from: PageEntry, reference: Reference): PageEntry | undefined {
    const generation = this.#sources.content.generation();
    const inLanguage = (entry: PageEntry): PageEntry =>
      generation.at(entry.route, readersOf(from)) ?? entry;
    for (const target of this.#targets(from, reference)) {
      const entry = this.#pages.at(target);
      if (entry !== undefined) return inLanguage(entry);
    }
    const loose = this.#isLoose(from, reference) ? this.#looselyAt(from, reference) : undefined;
    return loose && inLanguage(loose);
  }

  #looselyAt(from: PageEntry, reference: Reference): PageEntry | undefined {
    const targets = looseTargets(from, reference.path);
    for (const target of targets) {
      const entry = this.#pages.at(target) ?? this.#pages.loosely(target);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** True for what may be a page but is neither a file nor an address of the site. */
  #isLoose(from: PageEntry, reference: Reference): boolean {
    if (WITHOUT_LANGUAGE.test(reference.path) || !mayBePage(reference.path)) return false;
    if (this.#targets(from, reference).some((target) => this.#pages.at(target))) return false;
    return !this.#routed(from, reference).isServed;
  }

  /** The page at the URL that a browser would request, and the read tags of the lookup. */
  #routed(
    from: PageEntry,
    { path }: Reference,
  ): { entry: PageEntry | undefined; isServed: boolean; reads: ReadonlySet<string> } {
    const view = this.#sources.content.viewAll();
    const inLanguage = path.startsWith("/") ? this.#withLanguage(path, readersOf(from), "") : null;
    const address = inLanguage === null ? path : (decoded(inLanguage) ?? inLanguage);
    const folder = posix.dirname(decoded(from.url) ?? from.url);
    const match = view.resolve(address.startsWith("/") ? address : posix.join(folder, address));
    const entry = match.kind === "page" || match.kind === "gated" ? match.entry : undefined;
    return { entry, isServed: match.kind !== "none", reads: view.reads };
  }

  #withLanguage(path: string, lang: string, suffix: string): string | null {
    const prefix = this.#sources.content.addresses.prefixOf(lang);
    const hasPrefix = this.#sources.languages.includes(path.split("/")[1] ?? "");
    if (hasPrefix || WITHOUT_LANGUAGE.test(path) || posix.basename(path).includes(".")) return null;
    if (prefix === "") return null;
    return this.#sources.content.addresses.urlOf(path, lang) + suffix;
  }
}

/** `/logo.svg` may be in a folder `public` beside the pages, whose files other generators serve at the root. */
function publicFile(path: string): readonly string[] {
  return path.startsWith("/") ? [posix.normalize(`public${path}`)] : [];
}

/** The language of a page's readers, which links preserve. */
function readersOf({ lang, standsInFor }: PageEntry): string {
  return standsInFor ?? lang;
}

function addTranslation(tags: Set<string>, translated: PageEntry | undefined): void {
  if (translated !== undefined) tags.add(`page:${translated.sourcePath}`);
}

/** The content in which references are resolved. */
type ReferredContent = Pick<
  ContentService,
  "generation" | "media" | "addresses" | "addressIn" | "source" | "view" | "viewAll"
>;

/** The content of a moment. */
function selectContent(moment: Moment, present: ReferredContent): ReferredContent {
  return {
    addresses: present.addresses,
    view: (viewer) => present.view({ roles: null, seesUnpublished: false, ...viewer, moment }),
    viewAll: () => present.viewAll(moment),
    generation: () => moment.generation(),
    addressIn: (...page) => moment.addressIn(...page),
    source: (path) => moment.source(path),
    media: (folder) => moment.media(folder),
  };
}
