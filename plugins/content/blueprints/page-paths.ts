/** Paths of pages that are not indexed yet: what a path says about its page, and the path that a page type gives to a new page. */
import { HttpError } from "#kernel";
import { splitOrder, withoutOrders } from "#lib/text";
import type { ContentIndex } from "../index/content-index.js";
import {
  folderOf,
  nameOf,
  parseFileName,
  parseFolderName,
  type FileName,
} from "../read/source-name.js";
import type { Blueprint, NewPage, PageEntry } from "../contract.js";
import { isFolderPage } from "./relations.js";
import { chooseFolderPage, templateOfStem } from "../index/folder-page.js";
import type { ContentRules } from "../index/store-options.js";
import { readValues, type SourceRecord } from "../read/source-record.js";

/** The position of a page in the tree, with its template. */
export interface PagePlace {
  readonly sourcePath: string;
  readonly folder: string;
  readonly lang: string;
  readonly template: string;
  /** Modules are parts of a page, not pages below it. */
  readonly isModule: boolean;
  /** The page directly above; null: none, or not indexed yet. */
  readonly parent: PageEntry | null;
  readonly frontmatter: Readonly<Record<string, unknown>>;
}

/** The place of an indexed page. */
export function locateEntry(entry: PageEntry, index: ContentIndex, lang: string): PagePlace {
  const { sourcePath, folder, template, isModule, frontmatter } = entry;
  const above = entry.parent ?? (entry.route === "/" ? null : "/");
  const parent = above === null ? null : (index.at(above, entry.lang) ?? index.at(above, lang));
  const place = { sourcePath, folder, lang: entry.lang, template, isModule, frontmatter };
  return { ...place, parent: parent ?? null };
}

/** The place of a file; null for a file that is not a page. */
export function locateFile(
  path: string,
  record: Pick<SourceRecord, "frontmatter" | "texts">,
  index: ContentIndex,
  rules: ContentRules,
): PagePlace | null {
  const name = parseFileName(nameOf(path), rules);
  if (name === null) return null;
  const folder = folderOf(path);
  const isOfFolder =
    index.placed.get(path)?.place.isFolderPage ?? ownsFolder(path, name, index, rules);
  const isModule = isOfFolder && parseFolderName(nameOf(folder)).isModule;
  const named = record.frontmatter["template"];
  const template =
    typeof named === "string" && /^[\w-]+$/.test(named)
      ? named
      : isOfFolder
        ? templateOfStem(name.stem)
        : "default";
  // The home page owns the top; it has no page above.
  const isTop = folder === "" && isOfFolder;
  const parent = isTop
    ? null
    : findParent(isOfFolder ? folderOf(folder) : folder, name.lang, index);
  const frontmatter = readValues(record, rules.textFields?.of(template) ?? []);
  return { sourcePath: path, folder, lang: name.lang, template, isModule, parent, frontmatter };
}

/** The name of a page in its address by its path alone: that of its folder, or of a file that is a page of its own. */
export function fileSlug(path: string, index: ContentIndex, rules: ContentRules): string {
  const name = parseFileName(nameOf(path), rules);
  const folder = folderOf(path);
  if (name === null) return nameOf(path);
  const isOfFolder = folder !== "" && ownsFolder(path, name, index, rules);
  return isOfFolder ? parseFolderName(nameOf(folder)).slug : name.stem;
}

/** True when a file that is not indexed would be the page of its folder, beside the pages that stand there. */
function ownsFolder(
  path: string,
  name: FileName,
  index: ContentIndex,
  rules: ContentRules,
): boolean {
  const folder = folderOf(path);
  const pages = index.folder(folder);
  const siblings = [...(pages?.own ?? []), ...(pages?.flat ?? [])].flatMap(
    ({ sourcePath }) => parseFileName(nameOf(sourcePath), rules) ?? [],
  );
  const isTemplate = (stem: string): boolean => rules.templates.has(stem);
  const files = siblings.filter(({ lang }) => lang === name.lang);
  const facts = { name: parseFolderName(nameOf(folder)), isTop: folder === "" };
  return chooseFolderPage([...files, name], facts, isTemplate).page === name;
}

/** The page of a folder in a language, else in another one; the page of the top is home. */
function findParent(folder: string, lang: string, index: ContentIndex): PageEntry | null {
  if (folder === "") return index.at("/", lang) ?? null;
  const pages = index.folder(folder)?.own ?? [];
  return pages.find((entry) => entry.lang === lang) ?? pages[0] ?? null;
}

const MAX_SEGMENT = 80;
/** Pages of one name beside each other. */
const MAX_TAKEN = 1_000;

/** The index, page type and day that a new path depends on. */
export interface NewPathContext {
  readonly index: ContentIndex;
  readonly lang: string;
  readonly blueprint: Blueprint | undefined;
  /** `YYYY-MM-DD` in the time zone of the site. */
  readonly today: string;
}

/** A free path for a new page. @throws HttpError 400 for a parent that does not exist, or no name. */
export function newPath(
  { parent, template, frontmatter }: NewPage,
  { index, lang, blueprint, today }: NewPathContext,
): string {
  const above = parent === "/" ? null : index.at(parent, lang);
  if (above === undefined)
    throw new HttpError(400, `parent: there is no page at ${JSON.stringify(parent)}`);
  const naming = blueprint?.naming ?? { slug: "title", prefix: "none" };
  const slug = toSegment(frontmatter[naming.slug]);
  if (slug === "") {
    const message = `${naming.slug} is needed: the page's address is made from it`;
    const validationErrors = [{ field: naming.slug, message: `${naming.slug} is required.` }];
    throw new HttpError(422, message, { validationErrors });
  }
  const folder = above === null ? "" : folderFor(above);
  const siblings = listNames(index, folder);
  const taken = new Set(siblings.map((name) => withoutOrders(name)));
  const prefix = choosePrefix(naming.prefix, frontmatter["date"], today, siblings);
  for (let at = 1; at <= MAX_TAKEN; at += 1) {
    const name = at === 1 ? slug : `${slug}-${at}`;
    if (!taken.has(name))
      return [folder, prefix + name, `${template}.md`].filter(Boolean).join("/");
  }
  throw new HttpError(409, `there are too many pages named ${JSON.stringify(slug)}`);
}

/** `Ein Haus am Fluß!` as `ein-haus-am-fluß`. */
function toSegment(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const words = String(value)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  return Array.from(words)
    .slice(0, MAX_SEGMENT)
    .join("")
    .replace(/^-+|-+$/g, "");
}

function folderFor(entry: PageEntry): string {
  return isFolderPage(entry) ? entry.folder : entry.sourcePath.replace(/(?:\.[a-z-]+)?\.\w+$/i, "");
}

/** Names of the files and folders directly in a folder that have pages. */
function listNames({ entries }: ContentIndex, folder: string): readonly string[] {
  const start = folder === "" ? "" : `${folder}/`;
  const names = entries.flatMap(({ sourcePath }) => {
    if (!sourcePath.startsWith(start)) return [];
    const rest = sourcePath.slice(start.length);
    return [folderOf(rest) === "" ? rest.replace(/\.\w+$/, "") : (rest.split("/", 1)[0] ?? "")];
  });
  return [...new Set(names)];
}

function choosePrefix(
  kind: "none" | "number" | "date",
  date: unknown,
  today: string,
  siblings: readonly string[],
): string {
  if (kind === "none") return "";
  if (kind === "date") {
    const day = typeof date === "string" ? /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] : undefined;
    return `${(day ?? today).replaceAll("-", "")}.`;
  }
  const numbers = siblings.map((name) => splitOrder(name).order ?? 0);
  return `${String(Math.max(0, ...numbers) + 1).padStart(2, "0")}.`;
}
