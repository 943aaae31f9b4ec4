/** The format `markdown`: a folder that is a content folder too. */
import { createReadStream } from "node:fs";
import { posix } from "node:path";
import { atomicWrite, safeJoin, type SiteContext } from "#kernel";
import { makeFolder } from "#lib/files";
import { splitOrder } from "#lib/text";
import { formatYaml } from "#lib/yaml";
import type { MediaItem, Page, PageEntry } from "../../content/contract.js";
import type { ImportNote } from "../contract.js";
import { changeAddresses, encodePath } from "../text/markdown-text.js";
import { htmlToMarkdown } from "../text/html-to-markdown.js";
import type { ExportInput, Picked, Written } from "./pick-pages.js";
import { folderName, numberedName } from "../plan/safe-name.js";

/** Writes one file per page, and files beside their pages. */
export async function writeMarkdown(input: ExportInput): Promise<Written> {
  const { site, picked, out, below } = input;
  const names = new OutNames();
  const pages = new PagePlaces(site, picked, names);
  const files = await mediaFiles(site, picked);
  const withModules = picked.pages.filter((entry) => picked.view.modules(entry).length > 0);
  pages.place(
    new Set([
      ...files.flatMap(({ owner }) => owner?.sourcePath ?? []),
      ...withModules.map(({ sourcePath }) => sourcePath),
    ]),
  );
  const media = new MediaPlaces(files, { pages, names, takesAll: below === null });
  await makeFolder(out, "shared");
  const targets: LinkTargets = { site, pages, media };
  const notes: ImportNote[] = [];
  for (const entry of picked.pages) {
    await writePage(input, entry, targets, notes);
    for (const module of picked.view.modules(entry)) {
      if (picked.accepts(module)) await writePage(input, module, targets, notes);
    }
    input.tick();
  }
  const count = await writeMedia(media, out);
  return { pages: picked.pages.length, media: count, records: 0, redirects: 0, notes };
}

async function writePage(
  { picked, out }: ExportInput,
  entry: PageEntry,
  targets: LinkTargets,
  notes: ImportNote[],
): Promise<void> {
  const place = targets.pages.of(entry);
  const file = place === undefined ? null : safeJoin(out, place.path);
  if (place === undefined || file === null) return;
  const { text, lost } = await pageFile(await picked.view.load(entry), place, targets);
  for (const name of lost) {
    notes.push({ file: entry.sourcePath, reason: `${name} has no counterpart in Markdown` });
  }
  // A failed export is removed as a whole, so single files need no sync.
  await atomicWrite(file, text, { access: "shared", durable: false });
}

async function writeMedia(media: MediaPlaces, out: string): Promise<number> {
  const used = media.used();
  for (const { file, path } of used) {
    const target = safeJoin(out, path);
    if (target === null) continue;
    await atomicWrite(target, createReadStream(file.file), { access: "shared", durable: false });
    const { meta } = file.item;
    if (Object.keys(meta).length === 0) continue;
    await atomicWrite(`${target}.meta.yaml`, formatYaml(meta), {
      access: "shared",
      durable: false,
    });
  }
  return used.length;
}

/** The pages and files that links can lead to. */
interface LinkTargets {
  readonly site: SiteContext;
  readonly pages: PagePlaces;
  readonly media: MediaPlaces;
}

/** The text of a file, and the elements that Markdown cannot hold. */
async function pageFile(
  page: Page,
  place: PagePlace,
  targets: LinkTargets,
): Promise<{ text: string; lost: readonly string[] }> {
  const { markdown, lost } = await renderBody(page, place, targets);
  const matter = toFrontMatter(page.entry, place, targets);
  const head = Object.keys(matter).length === 0 ? "" : formatYaml(matter);
  const body = markdown.trim();
  return { text: `---\n${head}---\n${body === "" ? "" : `\n${body}\n`}`, lost };
}

async function renderBody(page: Page, place: PagePlace, targets: LinkTargets) {
  const { site } = targets;
  const markdown = site.use("markdown");
  if (page.entry.format !== "md") {
    const { html } = await markdown.render(page);
    const change = (address: string): string => toRelative(address, place, targets) ?? address;
    return htmlToMarkdown(html, change);
  }
  const scan = (text: string) => site.use("check").scan(text);
  const written = [...new Set(scan(page.body).map(({ target }) => target))];
  const hrefs = await markdown.hrefs(page.entry, written);
  const links = new Map(written.map((target, at) => [target, hrefs[at] ?? target]));
  const change = (target: string): string => {
    if (target.startsWith("#")) return target;
    return toRelative(links.get(target) ?? target, place, targets) ?? target;
  };
  return { markdown: changeAddresses(page.body, change, scan), lost: [] };
}

/** The relative path from a file of the export; null for what is not part of it. */
function toRelative(address: string, from: PagePlace, targets: LinkTargets): string | null {
  if (!/^\/(?!\/)/.test(address)) return null;
  const end = address.search(/[?#]/);
  const suffix = end === -1 ? "" : address.slice(end);
  const target = targets.media.at(address) ?? findPage(address.replace(/[?#].*$/s, ""), targets);
  if (target === null) return null;
  const isFile = !target.endsWith(".md");
  const path = posix.relative(posix.dirname(from.path), target);
  return encodePath(path) + (isFile ? suffix.replace(/^\?[^#]*/, "") : suffix);
}

function findPage(address: string, { site, pages }: LinkTargets): string | null {
  const content = site.use("content");
  const { route, lang } = content.addresses.parse(address);
  const entry = content.generation().at(route, lang ?? content.languages.main);
  return entry === undefined ? null : (pages.of(entry)?.path ?? null);
}

/** Front matter that gives the page the same address, place and look without its old path. */
function toFrontMatter(entry: PageEntry, place: PagePlace, targets: LinkTargets) {
  const { slug: _, ...frontmatter } = entry.frontmatter;
  const matter: Record<string, unknown> = { ...frontmatter };
  if (place.slug !== null) matter["slug"] = place.slug;
  if (place.isFolder || entry.template !== "default") matter["template"] = entry.template;
  if (entry.isModule) delete matter["template"];
  if (!entry.isModule && entry.isOrdered === true) matter["order"] = entry.order;
  if (!entry.isModule && entry.visible) matter["visible"] = true;
  const image = findImage(entry, place, targets);
  if (image !== null) matter["image"] = image;
  return matter;
}

/** A file of the same folder by its name, another one by its new address. */
function findImage(
  entry: PageEntry,
  place: PagePlace,
  { site, media }: LinkTargets,
): string | null {
  const address = site.use("content").addresses.imageOf(entry);
  const path = address === null ? null : media.at(address);
  if (path === null) return null;
  const isOwn = posix.dirname(path) === posix.dirname(place.path);
  return isOwn ? posix.basename(path) : `/content-media/${encodePath(path)}`;
}

/** The place of a page in the export. */
interface PagePlace {
  /** Path of its file: `blog/hello.md`. */
  readonly path: string;
  /** `slug` that it needs to have its address; null: its name is enough. */
  readonly slug: string | null;
  /** True: the folder is the page. */
  readonly isFolder: boolean;
}

/** Places of all pages and modules, by source path. */
class PagePlaces {
  readonly #places = new Map<string, PagePlace>();
  readonly #bases = new Map<string, { base: string; isFolder: boolean }>();
  readonly #names: OutNames;
  readonly #site: SiteContext;
  readonly #picked: Picked;

  constructor(site: SiteContext, picked: Picked, names: OutNames) {
    this.#site = site;
    this.#picked = picked;
    this.#names = names;
  }

  /** Places all pages; those with a source path in `folders` become folders. */
  place(folders: ReadonlySet<string>): void {
    const { main } = this.#site.use("content").languages;
    for (const entry of this.#picked.pages) {
      const { base, isFolder } = this.#baseOf(entry, folders);
      const language = entry.lang === main ? "" : `.${entry.lang}`;
      const path = isFolder ? posix.join(base, `index${language}.md`) : `${base}${language}.md`;
      const name = posix.basename(base);
      const segment = posix.basename(entry.route);
      const slug = entry.route === "/" || segment === name ? null : segment;
      this.#places.set(entry.sourcePath, { path, slug, isFolder });
      this.#placeModules(entry, base);
    }
  }

  of({ sourcePath }: PageEntry): PagePlace | undefined {
    return this.#places.get(sourcePath);
  }

  /** All languages of a page have the name of the main one. */
  #baseOf(entry: PageEntry, folders: ReadonlySet<string>): { base: string; isFolder: boolean } {
    const { main } = this.#site.use("content").languages;
    const all = this.#picked.view.translations(entry).map((one) => one.entry);
    const first = all.find(({ lang }) => lang === main) ?? entry;
    const cached = this.#bases.get(first.sourcePath);
    if (cached !== undefined) return cached;
    const parts = first.route.split("/").filter(Boolean);
    const names = parts.map(segmentName);
    const last = names.at(-1);
    const isFolder =
      last === undefined ||
      last !== parts.at(-1) ||
      !isPlainFileName(last, (name) => this.#isTemplate(name)) ||
      [first, entry, ...all].some(({ sourcePath }) => folders.has(sourcePath));
    const base = last === undefined ? "" : this.#names.take(names.join("/"));
    const named = { base, isFolder };
    this.#bases.set(first.sourcePath, named);
    return named;
  }

  #placeModules(entry: PageEntry, base: string): void {
    for (const module of this.#picked.view.modules(entry)) {
      if (!this.#picked.accepts(module) || this.#places.has(module.sourcePath)) continue;
      const folder = posix.join(base, posix.basename(posix.dirname(module.sourcePath)));
      const name = posix.basename(module.sourcePath).replace(/\.[a-z]+$/, ".md");
      const path = posix.join(folder, name);
      this.#places.set(module.sourcePath, { path, slug: null, isFolder: true });
    }
  }

  #isTemplate(name: string): boolean {
    return this.#site.use("render", { optional: true })?.has(name) ?? false;
  }
}

const MAX_BYTES = 120;
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._~-]*$/u;
/** Names that content folders give a meaning. */
const RESERVED: ReadonlySet<string> = new Set(["default", "index", "home", "readme"]);

/** A segment of an address as a name; another one where the segment is not safe. */
function segmentName(segment: string): string {
  const isSafe =
    PLAIN.test(segment) &&
    splitOrder(segment).order === null &&
    !/[.~]$|^node_modules$/.test(segment) &&
    Buffer.byteLength(segment) <= MAX_BYTES &&
    segment === segment.normalize("NFC");
  return isSafe ? segment : folderName(segment);
}

/** True for a name that is a page of its own as a file: `about.md`. */
function isPlainFileName(name: string, isTemplate: (name: string) => boolean): boolean {
  return !name.includes(".") && !RESERVED.has(name.toLowerCase()) && !isTemplate(name);
}

/** Names of exported files and folders: readable, the same on every system, each taken once. */
class OutNames {
  readonly #taken = new Set<string>();

  /** The path, with a number when it is taken, also in other letters. */
  take(path: string): string {
    for (let number = 1; ; number += 1) {
      const candidate =
        number === 1
          ? path
          : posix.join(posix.dirname(path), numberedName(posix.basename(path), number));
      const key = candidate.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}

/** A file that can be exported. */
interface OwnedFile {
  readonly item: MediaItem;
  /** Absolute path. */
  readonly file: string;
  readonly folder: string;
  /** The page of its folder; null for a file that pages share. */
  readonly owner: PageEntry | null;
}

/** The files of pages in the export, and files without a page. */
async function mediaFiles(site: SiteContext, picked: Picked): Promise<OwnedFile[]> {
  const content = site.use("content");
  const paths = new Set(picked.pages.map(({ sourcePath }) => sourcePath));
  const files: OwnedFile[] = [];
  for (const folder of content.mediaFolders()) {
    for (const item of await content.media(folder)) {
      const mediaFile = await content.mediaFile(folder, item.name);
      if (mediaFile === null) continue;
      const { file, entry: owner } = mediaFile;
      const isOpen =
        owner === null || (owner.isModule ? picked.accepts(owner) : paths.has(owner.sourcePath));
      if (isOpen) files.push({ item, file, folder, owner });
    }
  }
  return files;
}

/** Places of files: the folder of their page, or their path without order numbers. */
class MediaPlaces {
  /** Path below `content/` to path in the export. */
  readonly #places = new Map<string, { file: OwnedFile; path: string }>();
  readonly #used = new Set<string>();

  /** `takesAll`: files that no page shows are exported too. */
  constructor(files: readonly OwnedFile[], options: PlaceOptions) {
    for (const file of files) {
      const owner = options.pages.of(file.owner ?? NO_PAGE);
      if (file.owner !== null && owner === undefined) continue;
      const folder = owner === undefined ? sharedFolder(file.folder) : posix.dirname(owner.path);
      const path = options.names.take(posix.join(folder, file.item.name));
      const key = posix.join(file.folder, file.item.name);
      this.#places.set(key, { file, path });
      if (owner !== undefined || options.takesAll) this.#used.add(key);
    }
  }

  /** The path in the export of the file at an address; null when it is not part of it. */
  at(address: string): string | null {
    const key = parseMediaAddress(address);
    const place = key === null ? undefined : this.#places.get(key);
    if (key === null || place === undefined) return null;
    this.#used.add(key);
    return place.path;
  }

  /** Files that belong to pages in the export, or were looked up. */
  used(): { file: OwnedFile; path: string }[] {
    return [...this.#places].flatMap(([key, place]) => (this.#used.has(key) ? [place] : []));
  }
}

interface PlaceOptions {
  readonly pages: { of(entry: Pick<PageEntry, "sourcePath">): { path: string } | undefined };
  readonly names: OutNames;
  readonly takesAll: boolean;
}
const NO_PAGE = { sourcePath: "" };
const PREFIX = "/content-media/";

function sharedFolder(folder: string): string {
  const names = folder.split("/").filter(Boolean);
  return names.map((name) => segmentName(splitOrder(name).rest)).join("/");
}

function parseMediaAddress(address: string): string | null {
  if (!address.startsWith(PREFIX)) return null;
  try {
    return decodeURIComponent(address.slice(PREFIX.length).replace(/[?#].*$/s, ""));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
