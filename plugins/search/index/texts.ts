import { type Caches, type CacheSpace, type SiteContext, isRecord } from "#kernel";
import type { Moment, PageEntry, PageVersion, Blueprints, Field } from "../../content/contract.js";

/** Bytes of plain text that are cached for excerpts; other texts are read again. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Plain texts of pages, in exactly the version of an entry; caches recently shown ones. */
export class Texts {
  /** Addresses of pages whose text could not be read in the version of their entry. */
  readonly unread = new Set<string>();
  /** Called when an address is added to `unread`. */
  onUnread: () => void = () => undefined;
  readonly #site: SiteContext;
  /** By source path, hash and version of the page types. */
  readonly #texts: CacheSpace<string>;

  constructor(site: SiteContext, caches: Pick<Caches, "open"> = site.cache) {
    this.#site = site;
    this.#texts = caches.open<string>("search-texts", {
      maxBytes: MAX_BYTES,
      untagged: true,
      sizeOf: ({ length }) => length,
    });
  }

  /** The unread routes of pages that exist: a deleted one is never read, and would delay all retries. */
  unreadOf(exists: (route: string) => boolean): string[] {
    for (const route of this.unread) if (!exists(route)) this.unread.delete(route);
    return [...this.unread];
  }

  /**
   * The text of a page and of its modules; without that of a file that cannot be read or whose format
   * fails.
   */
  read(entry: PageEntry, parts: readonly PageEntry[] = []): string | Promise<string> {
    this.unread.delete(entry.url);
    if (parts.length === 0) return this.#read(entry, entry.url);
    return joined([entry, ...parts].map((one) => this.#read(one, entry.url)));
  }

  /** Like `read`, but uses the cache. */
  async load(entry: PageEntry, parts: readonly PageEntry[] = []): Promise<string> {
    return joined([entry, ...parts].map((one) => this.#load(one, entry.url)));
  }

  /** The texts of a page and of its modules at another moment. Equal versions have one cache entry. */
  async loadAt(moment: Pick<Moment, "source">, entries: readonly PageEntry[]): Promise<string> {
    return joined(entries.map((entry) => this.#loadAt(moment, entry)));
  }

  async #loadAt(moment: Pick<Moment, "source">, entry: PageEntry): Promise<string> {
    const key = this.#keyOf(entry);
    const cached = this.#texts.peek(key);
    if (cached !== undefined) return cached;
    const page = await moment.source(entry.sourcePath);
    if (page === null || page.entry.hash !== entry.hash) return "";
    const text = this.#textOf(entry, page);
    this.#texts.set(key, text);
    return text;
  }

  #read(entry: PageEntry, route: string): string | Promise<string> {
    const version = this.#site.use("content").version(entry);
    return version === null ? this.#readCurrent(entry, route) : this.#textOf(entry, version);
  }

  async #load(entry: PageEntry, route: string): Promise<string> {
    const key = this.#keyOf(entry);
    const cached = this.#texts.peek(key);
    if (cached !== undefined) return cached;
    const version = this.#site.use("content").version(entry);
    if (version === null) return this.#readCurrent(entry, route);
    const text = this.#textOf(entry, version);
    this.#texts.set(key, text);
    return text;
  }

  /** The file has another version than the entry: the index has yet to update. */
  async #readCurrent(entry: PageEntry, route: string): Promise<string> {
    try {
      const page = await this.#site.use("content").source(entry.sourcePath);
      // A file that changes back before the next refresh seems unchanged, so read it again.
      if (page?.entry.hash !== entry.hash) this.#readLater(route);
      if (page === null) return "";
      const text = this.#textOf(page.entry, page);
      this.#texts.set(this.#keyOf(page.entry), text);
      return text;
    } catch (error) {
      this.#site.log.warn("search.unreadable", { page: entry.sourcePath, error: String(error) });
      this.#readLater(route);
      return "";
    }
  }

  /** Page types decide which fields are text. */
  #keyOf({ sourcePath, hash }: PageEntry): string {
    return `${sourcePath}\n${hash}\n${this.#site.use("content").blueprints.version}`;
  }

  #readLater(route: string): void {
    this.unread.add(route);
    this.onUnread();
  }

  #textOf(entry: PageEntry, { raw, body }: PageVersion): string {
    try {
      const markdown = this.#site.use("markdown");
      const text = markdown.text({ entry, raw, body, media: [] });
      const shown = entry.isModule ? collectNestedTexts(entry.frontmatter, 0).join("\n\n") : "";
      const blocks = blockText(this.#site.use("content").blueprints, entry);
      const plain = (source: string): string => (source === "" ? "" : markdown.plainText(source));
      return [plain(shown), text, plain(blocks)].filter((one) => one !== "").join("\n");
    } catch (error) {
      this.#site.log.warn("search.unreadable", { page: entry.sourcePath, error: String(error) });
      return "";
    }
  }
}

async function joined(texts: readonly (string | Promise<string>)[]): Promise<string> {
  const read: string[] = [];
  for (const text of texts) read.push(await text);
  return read.filter((text) => text !== "").join("\n");
}

const TEXTS = new Set(["text", "textarea", "markdown"]);
const MAX_DEPTH = 10;

/** The texts of a page's blocks, as Markdown: those of fields of kind `text`, `textarea` and `markdown`. */
function blockText(blueprints: Blueprints, { template, frontmatter }: PageEntry): string {
  const fields = blueprints.of(template)?.fields.filter(({ type }) => type === "blocks") ?? [];
  if (fields.length === 0) return "";
  const blocks = new Map(blueprints.blocks().map(({ name, fields: inner }) => [name, inner]));
  return collectTexts(fields, frontmatter, { known: blocks, depth: 0 }).join("\n\n");
}

interface Place {
  readonly known: ReadonlyMap<string, readonly Field[]>;
  readonly depth: number;
}

function collectTexts(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
  { known, depth }: Place,
): string[] {
  if (depth > MAX_DEPTH) return [];
  const texts: string[] = [];
  for (const { name, type, fields: nested } of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (TEXTS.has(type) && typeof value === "string") texts.push(value);
    for (const item of toMaps(value)) {
      const blockFields = type === "blocks" ? (known.get(String(item["type"])) ?? []) : nested;
      for (const text of collectTexts(blockFields, item, { known, depth: depth + 1 }))
        texts.push(text);
    }
  }
  return texts;
}

function toMaps(value: unknown): Record<string, unknown>[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter(isRecord);
}

/** Fields of front matter that the components of modules show, besides the fields of blocks. */
const SHOWN = new Set(["title", "text", "caption", "author", "role", "code"]);

/** The texts in the front matter of a module: its title, those of its items and images. */
function collectNestedTexts(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => collectNestedTexts(one, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, nested]) => {
    if (typeof nested === "string") return SHOWN.has(key) ? [nested] : [];
    return collectNestedTexts(nested, depth + 1);
  });
}
