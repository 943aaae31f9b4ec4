/**
 * The sidebar of a source: a source sets `sidebar` of its rules to the result of a reader in this folder, and the
 * import writes it as `sidebar.yaml`.
 */
import { posix } from "node:path";
import type { ImportItem, SidebarPlace } from "../../contract.js";
import { fileKey } from "../../plan/address-key.js";
import { Computed, isPlain, readScript } from "./script-data.js";

/** The folder whose sidebar is read. */
export interface SidebarFolder {
  /** Absolute path of the source folder. */
  readonly root: string;
  /** Its files, below `root`. */
  readonly paths: readonly string[];
  /** The folder of the pages below `root`; empty for `root` itself. */
  readonly folder: string;
}
/** The order and the groups of a source. */
export interface SidebarOfSource {
  /** The file that has them, below the source folder. */
  readonly file: string;
  readonly items: readonly SidebarPlace[];
  /** What of it cannot be read. */
  readonly notes: readonly {
    readonly file?: string;
    readonly line?: number;
    readonly reason: string;
  }[];
}

/** The items of a source for its sidebar; none for null. */
export function sidebarItems(sidebar: SidebarOfSource | null | undefined): ImportItem[] {
  if (sidebar === null || sidebar === undefined) return [];
  const { file, items, notes } = sidebar;
  return [
    ...(items.length === 0 ? [] : [{ kind: "sidebar" as const, origin: { file }, items }]),
    ...notes.map(({ reason, file: other = file, line }): ImportItem => {
      const origin = { file: other, ...(line !== undefined && { line }) };
      return { kind: "notImported", origin, reason };
    }),
  ];
}

/** The names of a page that a sidebar calls by an address or by a file, with or without its extension. */
export function pageNames(link: string, folder: string): string[] {
  const plain = link.replace(/[?#].*$/s, "");
  const path = posix.join(folder, plain);
  const bare = path.replace(/\/$/, "").replace(/\.(?:mdx?|markdown|html?)$/i, "");
  const isAddress = plain.startsWith("/");
  const files = ["", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md", "/readme.md"];
  const keys = files.map((ending) => fileKey((bare === "." ? "" : bare) + ending));
  const address = plain.replace(/\.(?:mdx?|html?)$/i, "");
  return [fileKey(path), ...keys, ...(isAddress ? [address] : [])].map((key) =>
    key.replace("file:/", "file:"),
  );
}

/** True for an address on the web, or of another kind such as `mailto:`. */
export function isExternal(link: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link);
}

/** A page or an address, by a link. */
export function linkTo(link: string, folder: string): Pick<SidebarPlace, "page" | "url"> {
  return isExternal(link) ? { url: link } : { page: pageNames(link, folder) };
}

/** Collects what a reader cannot read. */
class Notes {
  readonly list: { file?: string; line?: number; reason: string }[] = [];

  computed(value: unknown): void {
    if (!(value instanceof Computed)) return;
    const { file, line } = value;
    const reason = "an entry of the sidebar is computed, and is not imported";
    if (!this.list.some((one) => one.file === file && one.line === line))
      this.list.push({ file, line, reason });
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** `title` with a title; nothing without one. */
function titled(title: string | undefined): Pick<SidebarPlace, "title"> {
  return title === undefined ? {} : { title };
}

/** A title with those in other languages. */
function withTexts(title: string, titles: Readonly<Record<string, string>>) {
  return Object.keys(titles).length === 0 ? { title } : { title, titles };
}

/** The plain text of a title with marks of HTML or Markdown. */
export function plainTitle(text: string): string {
  return text
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, "")
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, "")
    .replaceAll("&amp;", "&")
    .trim();
}

const SCRIPTS = ["js", "ts", "mjs", "mts", "cjs", "cts", "json"];

/** The first of the files that exists, with its default export. */
async function readFirst(root: string, names: readonly string[], notes: Notes) {
  for (const file of names) {
    const data = await readScript(root, file);
    if (data === null) continue;
    if ("exports" in data) return { file, exports: data.exports, value: data.exports["default"] };
    notes.list.push({ file, line: data.line, reason: `the sidebar was not read: ${data.issue}` });
  }
  return null;
}

// --- Docusaurus ---------------------------------------------------------------------------------------------------

/** What a sidebar of Docusaurus needs of its site. */
export interface DocusaurusSite extends SidebarFolder {
  /** The folder with `sidebars.js`. */
  readonly site: string;
  /** The path in `sidebarPath`; null: the usual names. */
  readonly file: string | null;
  /** The key of a document by its id. */
  readonly keyOf: (id: string) => string;
  /** Titles of sidebars in the navigation, by their names. */
  readonly names: ReadonlyMap<string, string>;
  /** Texts of `current.json` by language. */
  readonly texts: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** The key of a document by its id, which sidebars of Docusaurus use. */
export function docKey(id: string): string {
  return `doc:${id}`;
}

/** The sidebars of Docusaurus. Several become a group each. */
export async function docusaurusSidebar(site: DocusaurusSite): Promise<SidebarOfSource | null> {
  const notes = new Notes();
  const usual = SCRIPTS.map((ending) => posix.join(site.site, `sidebars.${ending}`));
  const isOwn = site.file?.includes("versioned_sidebars/") === true;
  const names = site.file === null ? usual : [site.file, ...(isOwn ? [] : usual)];
  const read = await readFirst(site.root, names, notes);
  if (read === null)
    return notes.list.length === 0 ? null : { file: names[0] ?? "", items: [], notes: notes.list };
  const { file, value } = read;
  const reader = new DocusaurusSidebars(site, notes);
  if (!isPlain(value)) notes.computed(value);
  const sidebars = Object.entries(isPlain(value) ? value : {}).map(([name, items]) => ({
    title: site.names.get(name) ?? toWords(name),
    items: reader.places(items, name),
  }));
  const filled = sidebars.filter(({ items }) => items.length > 0);
  return {
    file,
    items: filled.length === 1 ? (filled[0]?.items ?? []) : filled,
    notes: notes.list,
  };
}

/** `tutorialSidebar` as "Tutorial". */
function toWords(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replaceAll(/[-_]+/g, " ")
    .replace(/ sidebar$/i, "")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Item = Readonly<Record<string, unknown>>;

class DocusaurusSidebars {
  readonly #site: DocusaurusSite;
  readonly #notes: Notes;

  constructor(site: DocusaurusSite, notes: Notes) {
    this.#site = site;
    this.#notes = notes;
  }

  places(value: unknown, sidebar: string): SidebarPlace[] {
    this.#notes.computed(value);
    if (Array.isArray(value)) return value.flatMap((item: unknown) => this.#place(item, sidebar));
    return isPlain(value) ? this.#shorthand(value, sidebar) : [];
  }

  /** `{ "Getting started": ["a", "b"] }`. */
  #shorthand(value: Readonly<Record<string, unknown>>, sidebar: string): SidebarPlace[] {
    return Object.entries(value).flatMap(([label, items]) => {
      if (items instanceof Computed) {
        this.#notes.computed(items);
        return [];
      }
      return [
        { ...this.#label(sidebar, "category", label, label), items: this.places(items, sidebar) },
      ];
    });
  }

  #place(item: unknown, sidebar: string): SidebarPlace[] {
    if (typeof item === "string") return [{ page: [this.#site.keyOf(item)] }];
    this.#notes.computed(item);
    if (!isPlain(item)) return [];
    for (const value of Object.values(item)) this.#notes.computed(value);
    const label = textOf(item["label"]);
    switch (item["type"]) {
      case undefined:
        return this.#shorthand(item, sidebar);
      case "doc":
      case "ref":
        return [this.#document(item, sidebar, label)];
      case "autogenerated": {
        const name = textOf(item["dirName"]) ?? ".";
        return [{ folder: posix.join(this.#site.folder, name).replace(/\/$/, "") }];
      }
      case "link":
        return [this.#link(item, sidebar, label)];
      case "category":
        return this.#category(item, sidebar, label);
      case "html": {
        const title = plainTitle(textOf(item["value"]) ?? "");
        const shown = title === "" ? "" : `: ${JSON.stringify(title)}`;
        const reason = `an entry of HTML in the sidebar has no counterpart${shown}`;
        this.#notes.list.push({ reason });
        return [];
      }
      default:
        return [];
    }
  }

  #document(item: Item, sidebar: string, label: string | undefined): SidebarPlace {
    const page = [this.#site.keyOf(textOf(item["id"]) ?? "")];
    if (label === undefined) return { page };
    return { ...this.#label(sidebar, "doc", textOf(item["key"]) ?? label, label), page };
  }

  #link(item: Item, sidebar: string, label: string | undefined): SidebarPlace {
    const href = textOf(item["href"]) ?? "";
    const key = textOf(item["key"]) ?? label ?? href;
    return { ...this.#label(sidebar, "link", key, label ?? href), url: asAddress(href) };
  }

  #category(item: Item, sidebar: string, label: string | undefined): SidebarPlace[] {
    const { link } = item;
    const key = textOf(item["key"]) ?? label ?? "";
    const items = this.places(item["items"], sidebar);
    const title = label === undefined ? {} : this.#label(sidebar, "category", key, label);
    if (isPlain(link) && link["type"] === "doc")
      return [{ ...title, page: [this.#site.keyOf(textOf(link["id"]) ?? "")], items }];
    if (isPlain(link) && link["type"] === "generated-index") {
      const slug = textOf(link["slug"]);
      this.#notes.list.push({
        reason: `the generated index of ${JSON.stringify(label ?? slug ?? "")} has no counterpart: its group has no page`,
      });
    }
    return [{ ...title, items }];
  }

  /** A title with its translations in `current.json`. */
  #label(
    sidebar: string,
    kind: string,
    key: string,
    title: string,
  ): Pick<SidebarPlace, "title" | "titles"> {
    const titles: Record<string, string> = {};
    for (const [lang, texts] of this.#site.texts) {
      const text = texts[`sidebar.${sidebar}.${kind}.${key}`];
      if (text !== undefined) titles[lang] = text;
    }
    return withTexts(title, titles);
  }
}

// --- VitePress ----------------------------------------------------------------------------------------------------

/** The sidebar of VitePress, from `themeConfig` of its configuration; titles of other locales become translations. */
export async function vitepressSidebar({
  root,
  folder,
}: SidebarFolder): Promise<SidebarOfSource | null> {
  const notes = new Notes();
  const names = [folder, "", "docs"].flatMap((one) =>
    ["config", "config/index"].flatMap((name) =>
      SCRIPTS.slice(0, 4).map((ending) => posix.join(one, ".vitepress", `${name}.${ending}`)),
    ),
  );
  const read = await readFirst(root, [...new Set(names)], notes);
  if (read === null)
    return notes.list.length === 0 ? null : { file: names[0] ?? "", items: [], notes: notes.list };
  const { file, value } = read;
  const config = isPlain(value) ? value : {};
  notes.computed(value);
  const locales = isPlain(config["locales"]) ? config["locales"] : {};
  const main = themeSidebar(locales["root"]) ?? themeSidebar(config);
  let items = vitepressPlaces(main, folder, notes);
  for (const [lang, locale] of Object.entries(locales)) {
    const other = lang === "root" ? undefined : themeSidebar(locale);
    if (other !== undefined) items = withTitles(items, vitepressPlaces(other, folder, notes), lang);
  }
  return { file, items, notes: notes.list };
}

function themeSidebar(config: unknown): unknown {
  const theme = isPlain(config) ? config["themeConfig"] : undefined;
  return isPlain(theme) ? theme["sidebar"] : theme instanceof Computed ? theme : undefined;
}

/** A list of entries, or lists by the path of the pages that show them. */
function vitepressPlaces(value: unknown, folder: string, notes: Notes, base = ""): SidebarPlace[] {
  notes.computed(value);
  if (Array.isArray(value))
    return value.flatMap((item: unknown) => vitepressPlace(item, folder, notes, base));
  if (!isPlain(value)) return [];
  if (Array.isArray(value["items"]))
    return vitepressPlaces(value["items"], folder, notes, textOf(value["base"]) ?? base);
  return Object.values(value).flatMap((items) => vitepressPlaces(items, folder, notes));
}

function vitepressPlace(
  item: unknown,
  folder: string,
  notes: Notes,
  above: string,
): SidebarPlace[] {
  notes.computed(item);
  if (!isPlain(item)) return [];
  for (const value of Object.values(item)) notes.computed(value);
  const base = textOf(item["base"]) ?? above;
  const link = textOf(item["link"]);
  const title = plainTitle(textOf(item["text"]) ?? "");
  const items =
    item["items"] === undefined ? [] : vitepressPlaces(item["items"], folder, notes, base);
  const to =
    link === undefined
      ? {}
      : linkTo(isExternal(link) || base === "" ? asAddress(link) : base + link, folder);
  return [{ ...titled(title || undefined), ...to, ...(items.length > 0 && { items }) }];
}

function asAddress(link: string): string {
  return isExternal(link) || link.startsWith("/") ? link : `/${link}`;
}

/** The entries with the titles of those in another language, which are at the same places. */
function withTitles(
  items: readonly SidebarPlace[],
  others: readonly SidebarPlace[],
  lang: string,
): SidebarPlace[] {
  if (items.length !== others.length) return [...items];
  return items.map((item, at) => {
    const other = others[at];
    if (other === undefined) return item;
    return {
      ...item,
      ...(other.title !== undefined && { titles: { ...item.titles, [lang]: other.title } }),
      ...(item.items !== undefined && { items: withTitles(item.items, other.items ?? [], lang) }),
    };
  });
}

// --- Starlight ----------------------------------------------------------------------------------------------------

/** The sidebar of Starlight, from the integrations of `astro.config`. `folder`: `src/content/docs`. */
export async function starlightSidebar({
  root,
  folder,
}: SidebarFolder): Promise<SidebarOfSource | null> {
  const notes = new Notes();
  const names = SCRIPTS.slice(0, 6).map((ending) => `astro.config.${ending}`);
  const read = await readFirst(root, names, notes);
  if (read === null)
    return notes.list.length === 0 ? null : { file: names[0] ?? "", items: [], notes: notes.list };
  const { file, value } = read;
  notes.computed(value);
  const integrations =
    isPlain(value) && Array.isArray(value["integrations"]) ? value["integrations"] : [];
  const options = integrations
    .flatMap((one: unknown) =>
      one instanceof Computed && /starlight/i.test(one.call?.name ?? "") ? one.call?.args[0] : [],
    )
    .find(isPlain);
  const items = starlightPlaces(options?.["sidebar"], folder, notes);
  return { file, items, notes: notes.list };
}

function starlightPlaces(value: unknown, folder: string, notes: Notes): SidebarPlace[] {
  notes.computed(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => starlightPlace(item, folder, notes));
}

function starlightPlace(item: unknown, folder: string, notes: Notes): SidebarPlace[] {
  if (typeof item === "string") return [{ page: pageNames(`/${item.replace(/^\//, "")}`, folder) }];
  notes.computed(item);
  if (!isPlain(item)) return [];
  const label = textOf(item["label"]);
  const texts = isPlain(item["translations"]) ? item["translations"] : {};
  const titles = Object.fromEntries(
    Object.entries(texts).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
  const title = label === undefined ? {} : withTexts(label, titles);
  const slug = textOf(item["slug"]);
  const link = textOf(item["link"]);
  if (slug !== undefined) return [{ ...title, page: pageNames(`/${slug}`, folder) }];
  if (link !== undefined) return [{ ...title, ...linkTo(asAddress(link), folder) }];
  const generated = item["autogenerate"];
  if (isPlain(generated)) {
    const name = textOf(generated["directory"]) ?? "";
    return [{ ...title, items: [{ folder: posix.join(folder, name).replace(/\/$/, "") }] }];
  }
  return [{ ...title, items: starlightPlaces(item["items"], folder, notes) }];
}

// --- Nextra -------------------------------------------------------------------------------------------------------

/** The order of `_meta.json`, `_meta.js` and `_meta.ts` in each folder, as in Nextra; null without any. */
export async function metaSidebar({
  root,
  paths,
  folder,
}: SidebarFolder): Promise<SidebarOfSource | null> {
  const files = paths.filter((path) => /(?:^|\/)_meta\.(?:json|[cm]?[jt]s)$/.test(path));
  const [first] = files;
  if (first === undefined) return null;
  const notes = new Notes();
  const metas = new Map<string, Readonly<Record<string, unknown>>>();
  for (const file of files) {
    const read = await readFirst(root, [file], notes);
    notes.computed(read?.value);
    if (isPlain(read?.value))
      metas.set(posix.dirname(file) === "." ? "" : posix.dirname(file), read.value);
  }
  const top = metas.has(folder) ? folder : posix.dirname(first) === "." ? "" : posix.dirname(first);
  return { file: first, items: metaPlaces(top, { paths, metas, notes }), notes: notes.list };
}

interface MetaFiles {
  readonly paths: readonly string[];
  /** By folder. */
  readonly metas: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly notes: Notes;
}

/** Entries of the file in its order, then the other pages of the folder. */
function metaPlaces(folder: string, files: MetaFiles): SidebarPlace[] {
  const meta = files.metas.get(folder);
  const path = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
  if (meta === undefined) return [{ folder, isRest: true }];
  const places = Object.entries(meta).flatMap(([name, value]): SidebarPlace[] => {
    files.notes.computed(value);
    if (name === "*" || value instanceof Computed) return [];
    const options = isPlain(value) ? value : {};
    const title = textOf(value) ?? textOf(options["title"]);
    if (options["display"] === "hidden" || options["type"] === "separator") return [];
    const href = textOf(options["href"]);
    if (href !== undefined) return [{ title: title ?? href, ...linkTo(href, folder) }];
    const isFolder = files.paths.some((one) => one.startsWith(`${path(name)}/`));
    const hasPage = files.paths.some(
      (one) => /\.mdx?$/.test(one) && one.replace(/\.mdx?$/, "") === path(name),
    );
    const page = hasPage || !isFolder ? { page: pageNames(name, folder) } : {};
    const items = isFolder ? { items: metaPlaces(path(name), files) } : {};
    return [{ title: title ?? toWords(name), ...page, ...items }];
  });
  return [...places, { folder, isRest: true }];
}
