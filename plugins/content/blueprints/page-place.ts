/** Reads the place of a page from its path, before it is indexed: its template and the page above it. */
import { folderOf, nameOf, parseFileName, parseFolderName } from "../read/source-name.js";
import { folderPageOf, templateOfStem } from "../index/folder-page.js";
import type { FileName } from "../read/source-name.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import type { PageEntry } from "../contract.js";
import { valuesOf, type SourceRecord } from "../read/source-record.js";

/** Where a page stands. */
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
export function placeOfEntry(entry: PageEntry, index: ContentIndex, lang: string): PagePlace {
  const { sourcePath, folder, template, isModule, frontmatter } = entry;
  const above = entry.parent ?? (entry.route === "/" ? null : "/");
  const parent = above === null ? null : (index.at(above, entry.lang) ?? index.at(above, lang));
  const place = { sourcePath, folder, lang: entry.lang, template, isModule, frontmatter };
  return { ...place, parent: parent ?? null };
}

/** The place of a file; null for a file that is not a page. */
export function placeOfFile(
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
  const own = record.frontmatter["template"];
  const template =
    typeof own === "string" && /^[\w-]+$/.test(own)
      ? own
      : isOfFolder
        ? templateOfStem(name.stem)
        : "default";
  // The home page owns the top; it has no page above.
  const isTop = folder === "" && isOfFolder;
  const parent = isTop ? null : pageOf(isOfFolder ? folderOf(folder) : folder, name.lang, index);
  const frontmatter = valuesOf(record, rules.textFields?.of(template) ?? []);
  return { sourcePath: path, folder, lang: name.lang, template, isModule, parent, frontmatter };
}

/** The name of a page in its address by its path alone: that of its folder, or of a file that is a page of its own. */
export function slugOfFile(path: string, index: ContentIndex, rules: ContentRules): string {
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
  return folderPageOf([...files, name], facts, isTemplate).page === name;
}

/** The page of a folder in a language, else in another one; the page of the top is home. */
function pageOf(folder: string, lang: string, index: ContentIndex): PageEntry | null {
  if (folder === "") return index.at("/", lang) ?? null;
  const own = index.folder(folder)?.own ?? [];
  return own.find((entry) => entry.lang === lang) ?? own[0] ?? null;
}
