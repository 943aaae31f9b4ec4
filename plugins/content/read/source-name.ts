/** Parses the names of folders and files below `content/`. */

/** A folder's name. */
export interface FolderName {
  /** The number before the dot; null for an unordered folder. */
  order: number | null;
  /** Its segment in routes. */
  slug: string;
  isModule: boolean;
  isDrafts: boolean;
}
/** A content file's name. */
export interface FileName {
  /** The name without order, language and extension: a template or the segment of a flat page. */
  stem: string;
  order: number | null;
  lang: string;
  /** The extension without dot. */
  format: string;
  isModule: boolean;
}
/** Rules for which files are content, and in which language. */
export interface NameRules {
  formats: ReadonlySet<string>;
  languages: readonly string[];
  defaultLanguage: string;
}

/** Maximum depth of the tree, because code that renders it recurses. */
export const MAX_PATH_DEPTH = 100;

const INDEX = /^index(?:\.[a-z\d-]{2,12})?\.[a-z]+$/i;
/** Modules that a page with code can import, and the front matter of pages that have it in a file of its own. */
const PART_OF_CODE = /\.(?:[cm]?[jt]s|[jt]sx|frontmatter\.yaml)$/i;
const NUMBERED = /^(\d{1,9})\.(.+)$/s;

/** Parses a folder's name: `01.blog`, `blog`, `_hero`, `_drafts`. */
export function parseFolderName(name: string): FolderName {
  const { order, rest } = splitOrder(name);
  return {
    order,
    slug: toSlug(rest),
    isModule: rest.startsWith("_"),
    isDrafts: rest === "_drafts",
  };
}

/** Parses a file's name: `post.md`, `default.de.md`, `02.about.md`; null when it is not content. */
export function parseFileName(name: string, rules: NameRules): FileName | null {
  const dot = name.lastIndexOf(".");
  const format = extensionOf(name);
  if (dot < 1 || name.startsWith(".") || !rules.formats.has(format)) return null;
  const { order, rest } = splitOrder(name.slice(0, dot));
  const suffix = format === "tsx" ? null : languageSuffix(rest, rules.languages);
  const stem = suffix === null ? rest : rest.slice(0, -suffix.length - 1);
  return {
    stem: toSlug(stem),
    order,
    lang: suffix ?? rules.defaultLanguage,
    format,
    isModule: stem.startsWith("_"),
  };
}

/** True for files that the server runs: formats that run code, and modules that these import. */
export function isCode(path: string, codeFormats: ReadonlySet<string>): boolean {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return (extension !== undefined && codeFormats.has(extension)) || PART_OF_CODE.test(path);
}

/** The extension after the last dot, in lower case: other systems write `INDEX.MD`. */
export function extensionOf(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1);
  return INDEX.test(name) ? extension.toLowerCase() : extension;
}

function splitOrder(name: string): { order: number | null; rest: string } {
  const match = NUMBERED.exec(name);
  if (match?.[2] === undefined) return { order: null, rest: name };
  return { order: Number(match[1]), rest: match[2] };
}

function languageSuffix(stem: string, languages: readonly string[]): string | null {
  const dot = stem.lastIndexOf(".");
  const suffix = stem.slice(dot + 1);
  return dot > 0 && languages.includes(suffix) ? suffix : null;
}

/** A route segment in composed Unicode form (NFC), so that it is the same on every system. */
export function toSlug(text: string): string {
  return text.normalize("NFC");
}

/** True for two names of one file or address: systems store letters with accents in different forms. */
export function sameName(a: string, b: string): boolean {
  return a === b || a.normalize("NFC") === b.normalize("NFC");
}

/** True for names that are never content or media: dotfiles, temporary files, packages. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith(".") || name === "node_modules" || name.endsWith("~") || hasControls(name);
}

function hasControls(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- names with line breaks would break every list of paths
  return /[\u0000-\u001f\u007f\\]/.test(name);
}

/** True for a path below the maximum depth. */
export function isTooDeep(path: string): boolean {
  return path.split("/").length > MAX_PATH_DEPTH;
}

/** Why a folder is not read; null when it is read. */
export function folderIssue(folder: string): string | null {
  // Its files are one level deeper.
  if (!isTooDeep(joinPath(folder, "file"))) return null;
  return `the folder lies deeper than ${MAX_PATH_DEPTH - 1} levels and is skipped; move it up`;
}

/** The folder of a path below `content/`; empty at the top. */
export function folderOf(sourcePath: string): string {
  const slash = sourcePath.lastIndexOf("/");
  return slash === -1 ? "" : sourcePath.slice(0, slash);
}

/** The folders of a path below `content/`, the nearest first, without the top. */
export function foldersAbove(sourcePath: string): string[] {
  const folders: string[] = [];
  for (let at = folderOf(sourcePath); at !== ""; at = folderOf(at)) folders.push(at);
  return folders;
}

/** True when `path` is `folder` or below it; every path is below the top (empty). */
export function isAtOrBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** The last segment of a path below `content/`. */
export function nameOf(sourcePath: string): string {
  return sourcePath.slice(sourcePath.lastIndexOf("/") + 1);
}

/** Joins a folder below `content/` (empty at the top) and a name. */
export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
