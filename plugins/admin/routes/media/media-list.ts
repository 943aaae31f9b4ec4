import type { z } from "zod";
import { posix } from "node:path";
import { type CacheSpace, type SiteContext, isRecord } from "#kernel";
import { mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { contentPath } from "../../write/page-source.js";
import { notFound, type AdminContext, type IdentifiedExchange } from "../admin-context.js";
import { mediaApi } from "../../schemas/media.js";
import type {
  ContentService,
  MediaItem,
  PageEntry,
  Relation,
  Page,
} from "../../../content/contract.js";

/** Media of one page, or of the whole site with the pages and records that use them. */
export function mediaListRoute(context: AdminContext): void {
  const { admin, site } = context;
  const index = new MediaIndex(site);
  admin.route({
    method: "get",
    path: "/media",
    permission: "pages.read",
    paths: ({ query }) => (query.path === undefined ? [] : [query.path]),
    summary:
      "Media of a page or folder (path), or of the whole site with the pages and records that use them",
    responses: mediaApi["GET /media"].responses,
    query: mediaApi["GET /media"].query,
    tool: {
      name: "list_media",
      description:
        "Images and files of the site or of one page, with the pages and records that use them",
    },
    handler: async (req, res, { query, identity }) => {
      if (query.path === undefined) return list(context, { req, res, query, identity }, index);
      const items = await site.use("content").media(findFolder(context, query.path));
      return site.http.json(req, res, { items, total: items.length });
    },
  });
}

interface ListRequest extends IdentifiedExchange {
  readonly query: z.output<(typeof mediaApi)["GET /media"]["query"]>;
}

async function list(
  context: AdminContext,
  { req, res, query, identity }: ListRequest,
  index: MediaIndex,
): Promise<void> {
  const { site } = context;
  const { page, limit } = query;
  const folder = contentPath(query.folder ?? "").replace(/\/$/, "");
  const words = (query.q ?? "").toLowerCase();
  const sees = (path: string): boolean => mayAt(identity, "pages.read", path);
  const all = (await index.list()).filter((item) => sees(item.path));
  const matches = all.filter(
    (item) =>
      (folder === "" || item.folder === folder || item.folder.startsWith(`${folder}/`)) &&
      isOfType(item.type, query.type) &&
      `${item.path}\n${joinTexts(item.meta)}`.toLowerCase().includes(words),
  );
  const shown = matches.slice((page - 1) * limit, page * limit);
  const items = await Promise.all(
    shown.map(async (item) => ({
      ...item,
      ...(await forPanel(context, identity, item)),
      usedBy: item.usedBy.filter(({ sourcePath }) => sees(sourcePath)),
      usedByRecords: mayAt(identity, "flex.read", null) ? item.usedByRecords : [],
    })),
  );
  const pages = Math.max(1, Math.ceil(matches.length / limit));
  const folders = [...new Set(all.map((item) => item.folder))];
  await site.http.json(req, res, { items, total: matches.length, page, pages, folders });
}

/** Smaller variants for lists, and what the identity may do with the file. */
async function forPanel(
  { site }: AdminContext,
  identity: AdminIdentity,
  item: IndexedMedia,
): Promise<{ srcset: string; mayUpload: boolean; mayDelete: boolean }> {
  const { path, folder } = item;
  return {
    srcset: (await site.use("media", { optional: true })?.srcsetOf(item, folder)) ?? "",
    mayUpload: mayAt(identity, "media.upload", path),
    mayDelete: mayAt(identity, "media.delete", path),
  };
}

function isOfType(type: string, group: string | undefined): boolean {
  return group === undefined || type === group || type.startsWith(`${group}/`);
}

function joinTexts({ title, alt }: Readonly<Record<string, unknown>>): string {
  return [title, alt].filter((value) => typeof value === "string").join("\n");
}

/** The folder of a page given by its source path, or a folder that contains pages. */
export function findFolder({ site }: AdminContext, pageOrFolder: string): string {
  const path = contentPath(pageOrFolder).replace(/\/$/, "");
  const { bySource, entries } = site.use("content").generation();
  const page = bySource.get(path);
  if (page !== undefined) return page.folder;
  if (path === "" || entries.some(({ sourcePath }) => sourcePath.startsWith(`${path}/`)))
    return path;
  throw notFound(`page ${JSON.stringify(path.slice(0, 120))} does not exist`);
}

/** A file of the site, and the pages and records that name it in their text, front matter or fields. */
interface IndexedMedia extends MediaItem {
  /** Below the content folder. */
  readonly path: string;
  readonly folder: string;
  /** Fields of other pages and of records name the file by this key; null for files without a page. */
  readonly key: string | null;
  readonly usedBy: readonly { readonly sourcePath: string; readonly title: string }[];
  readonly usedByRecords: readonly NamingRecord[];
}
interface NamingRecord {
  readonly type: string;
  readonly id: string;
}

const KEY = "all";
/** Bytes of an entry, about. */
const ITEM_BYTES = 500;
const READS_AT_ONCE = 16;
const MEDIA_URL = "/content-media/";

/** The media of the whole site: found on the first request after content has changed. */
class MediaIndex {
  readonly #site: SiteContext;
  readonly #cached: CacheSpace<readonly IndexedMedia[]>;
  // Not in site.cache: names go with their entry, which is the same object until its file changes.
  readonly #names = new WeakMap<PageEntry, ReadonlySet<string>>();

  constructor(site: SiteContext) {
    this.#site = site;
    this.#cached = site.cache.open("admin-media", {
      maxBytes: 64 * 1_048_576,
      maxEntries: 1,
      untagged: true,
      sizeOf: (items) => items.length * ITEM_BYTES,
    });
    site.changes.react("admin.media", ({ changes, tags }) => {
      const isMedia = tags === null || [...tags].some((tag) => tag.startsWith("media:"));
      const names = changes.some(({ kind }) => kind === "page" || kind === "record");
      if (isMedia || names) this.#cached.clear();
    });
  }

  /** By path. */
  list(): Promise<readonly IndexedMedia[]> {
    return this.#cached.get(KEY, () => this.#make());
  }

  async #make(): Promise<readonly IndexedMedia[]> {
    const content = this.#site.use("content");
    const files = await collectFiles(content);
    const users = await this.#usersOf(content, files);
    const records = await this.#recordsOf(content);
    const keys = new Map<string, string>();
    for (const entry of content.generation().entries) {
      if (!keys.has(entry.folder)) keys.set(entry.folder, content.relations.keyOf(entry));
    }
    return [...files.entries()]
      .map(([path, { folder, item }]) => {
        const usedBy = users.get(path) ?? [];
        const pages = usedBy.map(({ sourcePath, title }) => ({ sourcePath, title }));
        const page = keys.get(folder);
        const key = page === undefined || page === "" ? null : `${page}/${item.name}`;
        return {
          ...item,
          path,
          folder,
          key,
          usedBy: pages,
          usedByRecords: records.get(path) ?? [],
        };
      })
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #usersOf(content: ContentService, files: Files): Promise<Map<string, PageEntry[]>> {
    const users = new Map<string, PageEntry[]>();
    const { entries } = content.generation();
    for (let at = 0; at < entries.length; at += READS_AT_ONCE) {
      const some = entries.slice(at, at + READS_AT_ONCE);
      const used = await Promise.all(some.map((entry) => this.#usedBy(content, entry, files)));
      for (const [index, entry] of some.entries()) {
        for (const path of used[index] ?? []) {
          append(users, path, entry);
        }
      }
    }
    return users;
  }

  /** Records by the files that their `media` fields name. */
  async #recordsOf(content: ContentService): Promise<Map<string, NamingRecord[]>> {
    const flex = this.#site.use("flex", { optional: true });
    const lang = this.#site.settings.system.languages.default;
    const users = new Map<string, NamingRecord[]>();
    for (const { name: type, fields } of flex?.types() ?? []) {
      for (const values of (await flex?.all(type)) ?? []) {
        for (const file of listNamedFiles(content.relations.named({ fields, values, lang }))) {
          append(users, file, { type, id: values._id });
        }
      }
    }
    return users;
  }

  /** Paths of the files that a page names. */
  async #usedBy(
    content: ContentService,
    entry: PageEntry,
    files: Files,
  ): Promise<ReadonlySet<string>> {
    const names = [...(await this.#namesIn(content, entry))];
    const listed = names.map((name) => toPath(name, entry.folder));
    const others = names.filter((_, at) => !files.has(listed[at] ?? ""));
    const urls = others.length === 0 ? [] : await this.#site.use("markdown").hrefs(entry, others);
    const inFields = listNamedFiles(content.relations.of(entry));
    const paths = [...listed, ...inFields, ...urls.map((url) => toPath(decoded(url), ""))];
    return new Set(paths.filter((path) => files.has(path)));
  }

  async #namesIn(content: ContentService, entry: PageEntry): Promise<ReadonlySet<string>> {
    const cached = this.#names.get(entry);
    if (cached !== undefined) return cached;
    const page = await content.source(entry.sourcePath).catch(() => null);
    const names = page === null ? new Set<string>() : usedNames(page);
    if (page?.entry === entry) this.#names.set(entry, names);
    return names;
  }
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The files that relations name, each once. */
function listNamedFiles(relations: readonly Relation[]): ReadonlySet<string> {
  return new Set(relations.flatMap(({ file }) => file ?? []));
}

type Files = ReadonlyMap<string, { folder: string; item: MediaItem }>;

async function collectFiles(content: ContentService): Promise<Files> {
  const folders = new Set(content.mediaFolders());
  for (const { folder } of content.generation().entries) folders.add(folder);
  const files = new Map<string, { folder: string; item: MediaItem }>();
  for (const folder of folders) {
    for (const item of await content.media(folder)) {
      files.set(posix.join(folder, item.name), { folder, item });
    }
  }
  return files;
}

/** The path below the content folder that a name means in a folder. */
function toPath(name: string, folder: string): string {
  if (name.startsWith(MEDIA_URL)) return name.slice(MEDIA_URL.length);
  return name.startsWith("/") ? name.slice(1) : posix.join(folder, name);
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, ""));
  } catch {
    return url;
  }
}

/** Ends with an extension, before a query or a fragment. */
const FILE = /\.[a-z0-9]{2,5}(?:[?#].*)?$/i;
const WORD =
  /(?<![^\s"'`()<>[\]{}|,;=])[^\s"'`()<>[\]{}|,;=]+\.[A-Za-z0-9]{2,5}(?=$|[\s"'`()<>[\]{}|,;?#])/g;
/** Names with spaces: between quotes or angle brackets. */
const ENCLOSED = /<([^<>\n]{1,500})>|"([^"\n]{1,500})"/g;
const MAX_NAMES = 5_000;
const MAX_DEPTH = 20;

/** Returns the names of files in the text and the front matter of a page, decoded and without query. */
function usedNames({ raw, entry }: Pick<Page, "raw" | "entry">): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (name: string): void => {
    if (names.size < MAX_NAMES && FILE.test(name)) names.add(plainName(name));
  };
  for (const [word] of raw.matchAll(WORD)) add(word);
  for (const [, bracketed, quoted] of raw.matchAll(ENCLOSED)) add(bracketed ?? quoted ?? "");
  for (const text of collectTexts(entry.frontmatter, MAX_DEPTH)) add(text);
  return names;
}

function plainName(name: string): string {
  const plain = name.replace(/[?#].*$/, "");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function collectTexts(value: unknown, depth: number): string[] {
  if (typeof value === "string") return value.length <= 1_024 ? [value.trim()] : [];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return inner.flatMap((one) => collectTexts(one, depth - 1));
}
