/** Sources that are a folder of Markdown files: one walk, with the rules of each system. */
import { stat } from "node:fs/promises";
import { basename, posix } from "node:path";
import { SiteError } from "#kernel";
import type {
  ImportedPage,
  ImportedSite,
  ImportItem,
  ImportSource,
  LinkBase,
  NotImported,
  Origin,
  SourceInput,
} from "../../contract.js";
import { sourceError } from "../../errors.js";
import { fileKey, wikiKey } from "../../plan/address-key.js";
import { mediaNameIssue } from "../../write/media-writer.js";
import { readerIn, readSourceFile, folderFiles, type FolderFile } from "../source-files.js";
import { toSlug } from "../../plan/safe-name.js";
import { type IncludeMarks, withIncludes } from "../includes/includes.js";
import { sidebarItems, type SidebarOfSource } from "../sidebar/sidebar-source.js";
import { authorPage, type AuthorTable, hasPage } from "../authors.js";
import { isAuthorFile, readAuthorFiles } from "./author-files.js";
import { besideContent } from "./beside-content.js";
import { hostRedirects, isHostFile } from "./host-redirects.js";
import { commonMatter, readImage, readMatter } from "./front-matter.js";
import { imageEnding } from "./image-ending.js";
import { findTitle, splitTitle, titleOfName } from "./page-title.js";

const MAX_PAGE = 5 * 1_048_576;
/** Pages and configuration, which Sitewright would read in the folder of a page. */
const TEXTS = /\.(?:md|mdx|markdown)$|(?:^|[./])(?:meta|frontmatter|sidebar)\.ya?ml$/i;
/** Pages that stand for their folder, the first one wins. */
const INDEXES = ["index.md", "_index.md", "index.mdx", "README.md", "readme.md"];

/** A page of a folder, read. */
export interface PageFile {
  /** Below the source folder. */
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}
/** The place of a page in the site. */
export interface PlacedPage extends Pick<
  ImportedPage,
  "route" | "template" | "position" | "translation"
> {
  /** Old addresses, beside the file itself. */
  readonly addresses: readonly string[];
  /** Front matter beside what `commonMatter` reads; replaces that. */
  readonly matter?: Readonly<Record<string, unknown>>;
  readonly format?: "html" | "markdown";
  readonly wikiLinks?: boolean;
  readonly path?: string;
  /** True: the page answered at its address with a slash at the end. Default: as `answersAtFolders` says. */
  readonly answersAtFolder?: boolean;
  /** The link of the source to its main picture. Default: as the front matter says. */
  readonly image?: string | null;
  /** Keys of `matter` whose values are links, see `ImportedPage`. */
  readonly linkKeys?: ImportedPage["linkKeys"];
}
/** A file that is not a page: `reason` says why, `redirect` is the target of a page that only redirects. */
export type NoPage =
  { readonly reason: string } | { readonly redirect: string; readonly from: string };
/** The text of a page, and what was lost of it. */
interface PageText {
  readonly text: string;
  readonly notes: readonly string[];
}
/** The rules of a system, for one folder. */
export interface FolderRules {
  readonly hosts?: readonly string[];
  /** The path below which the site answered: `/project`. Default: none. */
  readonly basePath?: string;
  /** Name, tagline, language and logo of the site. */
  readonly site?: Pick<ImportedSite, "title" | "description" | "language" | "logo">;
  /** True: pages answered at `/docs/one/`, so that `../two` in them is `/docs/two`. Default false. */
  readonly answersAtFolders?: boolean;
  /** Folders from which links count that begin with a slash, beside the source folder. */
  readonly linkRoots?: readonly string[];
  /** True: the name of a file in a link means that file, wherever it is. Default false. */
  readonly linksByName?: boolean;
  /** True: each folder is a page, whatever its file is called, and has the files beside it. Default false. */
  readonly isFolderPage?: boolean;
  /** Pages end with one of these. */
  readonly extensions: readonly string[];
  /** Files beside the content: neither pages nor media; the report counts them by their kind. */
  isIgnored(path: string): boolean;
  /** Files of configuration and data that the rules read: they have no line of their own in the report. */
  isRead?(path: string): boolean;
  /** Keys of the configuration without a counterpart, see `unreadKeys`. */
  unread?: readonly NotImported[];
  isPage(path: string): boolean;
  place(page: PageFile): PlacedPage | NoPage;
  /** Why a file that is a page there cannot be one here, such as a template; null for any other file. */
  lostPage?(path: string): string | null;
  /** The addresses that the front matter of such a file, or of one that `place` refuses, gives it. */
  lostAddresses?(page: PageFile): readonly string[];
  /** Front matter that the configuration or a folder gives a page; that of the page replaces it. */
  defaultsOf?(path: string): Readonly<Record<string, unknown>>;
  /** Front matter that the source reads itself, which stays nowhere else. */
  readonly keysRead?: readonly string[];
  /** Front matter without a counterpart: reported, and left out. */
  readonly keysLost?: readonly string[];
  /** The old address of a file that is no page; null without one. */
  addressOf(path: string): string | null;
  /** Other names by which links call a file that is no page. */
  namesOf?(path: string): readonly string[];
  /** The marks by which pages include files: their text is there before `transform`. */
  readonly includes?: IncludeMarks;
  /** Changes the text before links are resolved; reports what is lost. */
  transform?(body: string, page: PageFile): PageText | Promise<PageText>;
  /** Reads a page in a form other than front matter and text; null for any other file. */
  read?(source: string, path: string): { data: Record<string, unknown>; body: string } | null;
  /** Order and groups, which become `sidebar.yaml`: the result of a reader in `sources/sidebar`. */
  readonly sidebar?: SidebarOfSource | null;
  /** Items beside the files. */
  extra?(): readonly ImportItem[];
  /** Keys of the sidecar of a file. */
  metaOf?(path: string): Readonly<Record<string, unknown>>;
}
/** The folder of a source. */
interface SourceFolder {
  /** Absolute path. */
  readonly root: string;
  /** Its files, below `root`. */
  readonly paths: readonly string[];
}
/** Prepares the rules for a folder from its configuration and its list of files. */
type OpenFolder = (folder: SourceFolder) => Promise<FolderRules>;

/** A source of a folder. `shown`: names of hidden files and folders that belong to it. */
export function folderSource(
  summary: string,
  open: OpenFolder,
  shown: readonly string[] = [],
): ImportSource {
  return { summary, items: (input) => items(input, open, shown) };
}

async function* items(
  input: SourceInput,
  open: OpenFolder,
  shown: readonly string[],
): AsyncGenerator<ImportItem> {
  const { path: root } = input;
  const stats = await stat(root).catch(() => null);
  if (stats?.isDirectory() !== true)
    throw sourceError({ file: basename(root) }, "there is no such folder");
  const files: FolderFile[] = [];
  for await (const file of folderFiles(root, shown)) files.push(file);
  const paths = files.map(({ path }) => path);
  const rules = await open({ root, paths });
  const authors = await readAuthorFiles(root, paths);
  const folder: Folder = {
    rules,
    owners: findOwners(paths, rules),
    paths: new Set(paths),
    input: { ...input, authors: authors.table },
  };
  const hosts = [...(rules.hosts ?? []), "files.invalid"];
  yield { kind: "site", hosts, basePath: rules.basePath ?? "", ...rules.site };
  yield* rules.unread ?? [];
  for (const file of files) {
    if (isReadElsewhere(file.path, rules)) continue;
    yield rules.isIgnored(file.path)
      ? besideContent(file.path, namesOfFile(file.path, rules))
      : await readItem(file, folder);
  }
  yield* authorPages(authors);
  for (const item of rules.extra?.() ?? []) yield item;
  yield* await hostRedirects(root, paths, hosts);
  yield* sidebarItems(rules.sidebar);
}

/** True for a file that the rules, the authors or the redirects of the host read. */
function isReadElsewhere(path: string, rules: FolderRules): boolean {
  return rules.isRead?.(path) === true || isAuthorFile(path) || isHostFile(path);
}

/** A page for each author of whom the source says more than a name. */
function authorPages({ table, files }: Awaited<ReturnType<typeof readAuthorFiles>>): ImportItem[] {
  return [...table].flatMap(([key, author]) => {
    if (!hasPage(author)) return [];
    const addresses = [`/authors/${key}`, `/author/${key}`, `/blog/authors/${key}`];
    return [authorPage(author, { file: files.get(key) ?? "" }, addresses)];
  });
}

/** The input, and what the whole folder says about its pages. */
interface FolderInput extends SourceInput {
  readonly authors: AuthorTable;
}

/** The folder that is read. */
interface Folder {
  readonly rules: FolderRules;
  /** The page of a folder. */
  readonly owners: ReadonlyMap<string, string>;
  readonly paths: ReadonlySet<string>;
  readonly input: FolderInput;
}

async function readItem(file: FolderFile, folder: Folder): Promise<ImportItem> {
  const { rules, owners } = folder;
  const { path, issue } = file;
  const lost = issue ?? rules.lostPage?.(path) ?? null;
  if (lost !== null && issue === null) return lostItem(file, lost, rules);
  if (lost !== null) return leftFile(path, lost, rules);
  return rules.isPage(path)
    ? pageItem(file, folder)
    : mediaItem(file, await nameOfFile(file), rules, owners);
}

/** A page that stays behind, with the addresses that it had. */
async function lostItem(
  { path, file }: FolderFile,
  reason: string,
  rules: FolderRules,
): Promise<NotImported> {
  if (rules.lostAddresses === undefined) return leftFile(path, reason, rules);
  const source = await readText(file, path);
  const matter = typeof source === "string" ? readMatter(source) : source;
  if ("issue" in matter) return leftFile(path, reason, rules);
  const data = { ...rules.defaultsOf?.(path), ...matter.data };
  return leftFile(path, reason, rules, rules.lostAddresses({ path, data, body: matter.body }));
}

function leftFile(
  path: string,
  reason: string,
  rules: FolderRules,
  others: readonly string[] = [],
): NotImported {
  const addresses = [...namesOfFile(path, rules), ...others];
  const [route] = others;
  return {
    kind: "notImported",
    origin: { file: path },
    reason,
    addresses,
    ...(route !== undefined && { route }),
  };
}

/** The names by which links call a file that stays behind: its path, and its address with and without its extension. */
function namesOfFile(path: string, rules: FolderRules): string[] {
  const address = rules.addressOf(path);
  const page = address === null ? null : toAddress(pathOfPage(address.replace(/\.\w{1,10}$/, "")));
  const names = [fileKey(path), wikiKey(posix.basename(path)), wikiKey(path)];
  return [...names, ...(address === null || page === null ? [] : [address, page])];
}

/** The page of each folder that has one: the files beside it belong to it. */
function findOwners(paths: readonly string[], rules: FolderRules): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const rank = (path: string): number => {
    const at = INDEXES.indexOf(posix.basename(path));
    return at === -1 ? INDEXES.length : at;
  };
  for (const path of paths) {
    const folder = posix.dirname(path);
    const canOwn = rules.isFolderPage === true || rank(path) < INDEXES.length;
    if (folder === "." || !canOwn || rules.isIgnored(path) || rules.isRead?.(path) === true)
      continue;
    if (!rules.isPage(path)) continue;
    const other = owners.get(folder);
    // The shorter name is that of the main language: `default.md` before `default.de.md`.
    const isFirst =
      other === undefined ||
      rank(path) < rank(other) ||
      (rank(path) === rank(other) && path.length < other.length);
    if (isFirst) owners.set(folder, path);
  }
  return owners;
}

async function pageItem({ path, file }: FolderFile, folder: Folder): Promise<ImportItem> {
  const { rules } = folder;
  const source = await readText(file, path);
  if (typeof source !== "string") return leftFile(path, source.issue, rules);
  const matter = rules.read?.(source, path) ?? readMatter(source);
  if ("issue" in matter)
    return { ...leftFile(path, matter.issue, rules), origin: { file: path, line: matter.line } };
  const data = { ...rules.defaultsOf?.(path), ...matter.data };
  const page: PageFile = { path, data, body: matter.body };
  const placed = rules.place(page);
  if ("reason" in placed) return leftFile(path, placed.reason, rules, rules.lostAddresses?.(page));
  if ("redirect" in placed)
    return { kind: "redirect", origin: { file: path }, from: placed.from, to: placed.redirect };
  return toPage(page, placed, folder);
}

async function toPage(page: PageFile, placed: PlacedPage, folder: Folder): Promise<ImportedPage> {
  const { rules, paths, input } = folder;
  const { path, data } = page;
  const files = { paths, read: readerIn(input.path) };
  const whole =
    rules.includes === undefined
      ? { text: page.body, notes: [] }
      : await withIncludes(page.body, path, rules.includes, files);
  const { text, notes: lost } = (await rules.transform?.(whole.text, {
    ...page,
    body: whole.text,
  })) ?? { text: whole.text, notes: [] };
  const { route, template, position, addresses, format = "markdown", wikiLinks = false } = placed;
  const { frontmatter: common, notes: unread } = translatedMatter(data, rules, input);
  const notes = [...whole.notes, ...lost, ...unread, ...layoutNote(data)];
  const { title = common["title"] ?? findTitle(text) ?? toTitle(path), ...matter } =
    placed.matter ?? {};
  const { body, anchor } = splitTitle(text, title);
  const base = linkBase(path, addresses[0] ?? route, placed, rules);
  return {
    kind: "page",
    origin: { file: path },
    route,
    template,
    position,
    notes,
    base,
    ...(placed.path !== undefined && { path: placed.path }),
    ...(placed.translation !== undefined && { translation: placed.translation }),
    frontmatter: { ...common, title, ...matter },
    image: placed.image ?? readImage(data),
    ...(placed.linkKeys !== undefined && { linkKeys: placed.linkKeys }),
    ...anchor,
    body: { format, text: body, wikiLinks },
    addresses: [...addresses, ...namesOfPage(path, folder)],
  };
}

/** The names by which links call a page. */
function namesOfPage(path: string, { rules, owners }: Folder): string[] {
  const folder = posix.dirname(path);
  const isOfFolder = rules.isFolderPage === true && owners.get(folder) === path;
  const names = [wikiKey(toStem(path)), wikiKey(path.replace(/\.[a-z]+$/, ""))];
  return [fileKey(path), ...(isOfFolder ? [fileKey(folder)] : []), ...names];
}

/** Front matter without the keys that the source reads itself, or that have no counterpart. */
function translatedMatter(
  data: PageFile["data"],
  { keysRead = [], keysLost = [] }: FolderRules,
  input: FolderInput,
): ReturnType<typeof commonMatter> {
  const left = [...keysRead, ...keysLost];
  const { frontmatter, notes } = commonMatter(
    Object.fromEntries(Object.entries(data).filter(([key]) => !left.includes(key))),
    input,
    input.authors,
  );
  const lost = keysLost
    .filter((key) => data[key] !== undefined)
    .map((key) => `front matter ${JSON.stringify(key)} has no counterpart`);
  return { frontmatter, notes: [...notes, ...lost] };
}

/** Layouts that say no more than the template of the page does. */
const PLAIN_LAYOUT =
  /(?:^|\/)(?:default|base|layout|page|pages|post|posts|blog|article|doc|docs|home|index|single|list|main|none|false)(?:\.\w+)?$/i;

function layoutNote(data: PageFile["data"]): string[] {
  const layout = data["layout"];
  if (typeof layout !== "string" || layout === "" || PLAIN_LAYOUT.test(layout)) return [];
  return [`layout ${JSON.stringify(layout.slice(0, 100))} of the old theme has no counterpart`];
}

/** Where relative links of a page start: the one place that knows how its system answers. */
function linkBase(
  file: string,
  address: string,
  { answersAtFolder }: PlacedPage,
  { answersAtFolders = false, linkRoots = [], linksByName = false }: FolderRules,
): LinkBase {
  const isFolder = answersAtFolder ?? answersAtFolders;
  const path = isFolder && !address.endsWith("/") ? `${address}/` : address;
  const url = `https://files.invalid${encodeURI(path)}`;
  return { file, url, roots: linkRoots, isByName: linksByName };
}

/** The name of a file; an image of another type than its ending says, which browsers show, gets the right one. */
async function nameOfFile({ path, file }: FolderFile): Promise<string> {
  const name = posix.basename(path);
  const ending = await imageEnding(file, name);
  return ending === null ? name : `${name.slice(0, -posix.extname(name).length)}.${ending}`;
}

function mediaItem(
  { path, file }: FolderFile,
  name: string,
  rules: FolderRules,
  owners: ReadonlyMap<string, string>,
): ImportItem {
  const origin: Origin = { file: path };
  const issue = mediaNameIssue(name);
  if (issue !== null && TEXTS.test(name)) return leftFile(path, issue, rules);
  const folder = posix.dirname(path);
  const index = owners.get(folder);
  const address = rules.addressOf(path);
  return {
    kind: "media",
    origin,
    name,
    from: { file },
    folder: folder === "." ? "media" : `media/${folder.split("/").map(plainSegment).join("/")}`,
    owner: index === undefined ? null : fileKey(index),
    addresses: [
      fileKey(path),
      wikiKey(posix.basename(path)),
      wikiKey(path),
      ...(address === null ? [] : [address]),
      ...(rules.namesOf?.(path) ?? []),
    ],
    meta: rules.metaOf?.(path) ?? {},
    ...(issue !== null && { unlessUsed: leftFile(path, issue, rules) }),
  };
}

async function readText(file: string, path: string): Promise<string | { issue: string }> {
  try {
    const bytes = await readSourceFile(file, path, MAX_PAGE);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof SiteError) return { issue: error.message };
    return { issue: "it is not UTF-8 text" };
  }
}

function toTitle(path: string): string {
  const isIndex = INDEXES.includes(posix.basename(path));
  return titleOfName(isIndex ? posix.basename(posix.dirname(path)) : toStem(path));
}

function toStem(path: string): string {
  return posix.basename(path).replace(/\.[a-z]+$/i, "");
}

function plainSegment(segment: string): string {
  return segment.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^[-_]+|-+$/g, "") || "files";
}

/** Path without its extension, and without a last `index`. */
export function pathOfPage(path: string): string {
  const bare = path.replace(/\.(?:md|mdx|markdown|html|txt)$/i, "");
  const name = posix.basename(bare).toLowerCase();
  if (!["index", "_index", "readme"].includes(name)) return bare;
  const folder = posix.dirname(bare);
  return folder === "." ? "" : folder;
}

/** The address of a path: `a/b` is `/a/b`. */
export function toAddress(path: string): string {
  const joined = posix.join("/", path);
  return joined.length > 1 ? joined.replace(/\/$/, "") : joined;
}

/** The address with readable segments: `My Notes/A page` is `/my-notes/a-page`. */
export function toSlugAddress(path: string): string {
  return toAddress(
    path
      .split("/")
      .filter((part) => part !== "")
      .map((part) => toSlug(part))
      .join("/"),
  );
}

/** A name with a date or number in front: `2020-05-01-hello`, `01-intro`. */
export function splitNumber(name: string): { position: number | null; rest: string } {
  const [, number, rest] = /^(\d{1,4})[-_. ]+(?!\d)(.+)$/.exec(name) ?? [];
  return number === undefined || rest === undefined
    ? { position: null, rest: name }
    : { position: Number(number), rest };
}

/** A name with a day in front. */
export function splitDate(name: string): { date: string | null; rest: string } {
  const [, date, rest] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(name) ?? [];
  return date === undefined || rest === undefined ? { date: null, rest: name } : { date, rest };
}

/** True when the path is in the folder. */
export function isIn(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
