/** Parses the names of folders and files below `content/`. */
import { sameLanguage, splitOrder } from "#lib/text";

export { sameName } from "#lib/text";

/** A folder's name. */
export interface FolderName {
  /** The number before the dot; null for an unordered folder. */
  order: number | null;
  /** Its segment in routes. */
  slug: string;
  isModule: boolean;
  /** True for folders in which other systems keep what is no page: `_partials`, `_layouts`. */
  isHidden: boolean;
  isDrafts: boolean;
}
/** A content file's name. */
export interface FileName {
  /** The name without order, language and extension: a template or the segment of a flat page. */
  stem: string;
  order: number | null;
  lang: string;
  /** `md` for every spelling of its extension. */
  format: string;
  /** A suffix that is the code of a language which the site does not have; null for other names. */
  foreignLanguage: string | null;
  /** A suffix that says that the file is a draft or a copy: `draft`, `bak`; null for other names. */
  copySuffix: string | null;
}
/** Rules for which files are content, and in which language. */
export interface NameRules {
  formats: ReadonlySet<string>;
  languages: readonly string[];
  defaultLanguage: string;
}

/** Maximum depth of the tree, because code that renders it recurses. */
export const MAX_PATH_DEPTH = 100;

/** Other extensions of Markdown, which count as `md`. */
const SAME_FORMAT: ReadonlyMap<string, string> = new Map([
  ["markdown", "md"],
  ["mdown", "md"],
  ["mkd", "md"],
  ["mkdn", "md"],
]);
/** Modules that a page with code can import, and the front matter of pages that have it in a file of its own. */
const PART_OF_CODE = /\.(?:[cm]?[jt]s|[jt]sx|frontmatter\.yaml)$/i;
/** Files that editors, patches and merges leave beside another one; `~`, `#a#` and `.#a` are others. */
const LEFTOVER = /\.(?:bak|backup|old|orig|rej|save|sw[a-p]|te?mp)$/i;
/** Files that systems and office programs put beside others. */
const SYSTEM_FILE = /^(?:thumbs\.db|ehthumbs\.db|desktop\.ini|__macosx|\$recycle\.bin|~\$.+)$/i;
/** A page with another ending, which is the text of a page and no media: `a.md.txt`, `a.md_`, `a.md.1`, `a.md copy`. */
const PAGE_COPY =
  /\.(?:md|markdown|mdown|mkdn?|mdx|tsx)(?:[\s_-]+|[\s._-]*(?:\d+|txt|text|gz|zip|copy|new|draft))$/i;
/** Suffixes of pages that are not meant for the site. */
const COPY_SUFFIX = /\.(?<suffix>draft|bak|backup|old|orig|copy|te?mp)$/i;
/** Copies that merge tools and synchronised folders create. */
const MERGE_COPY =
  /_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+\.[^.]+$|\.sync-conflict-\d{8}-\d{6}|\([^()]*conflicted copy[^()]*\)/;
/** Folders of pages that are not public, as people write it. */
const DRAFTS = /^_drafts?$/i;
/** Folders of other systems that are neither pages nor modules. */
const HIDDEN_FOLDERS: ReadonlySet<string> = new Set([
  "_data",
  "_includes",
  "_layouts",
  "_partials",
  "_sass",
  "_site",
  "_snippets",
  "_templates",
]);
const PLAIN = /^[\w.-]*$/;
/** Soft hyphens, marks of direction and spaces without a width. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** A code of a language, with a region or script: `fr`, `pt-BR`, `zh_Hans`. */
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i;

// Created lazily: loading its tables takes 3 ms of each startup.
class LanguageNames {
  static #names: Intl.DisplayNames | null = null;

  static has(code: string): boolean {
    this.#names ??= new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
    return this.#names.of(code) !== undefined;
  }
}
/** Countries that are taken for languages: `cn` for `zh`. */
const COUNTRIES: ReadonlySet<string> = new Set(["cn", "cz", "dk", "gr", "jp", "ua"]);

/** Parses a folder's name: `01.blog`, `blog`, `_hero`, `_drafts`. */
export function parseFolderName(name: string): FolderName {
  const { order, rest } = splitOrder(name);
  return {
    order,
    slug: toSlug(rest),
    isModule: rest.startsWith("_") && !HIDDEN_FOLDERS.has(rest),
    isHidden: HIDDEN_FOLDERS.has(rest),
    isDrafts: DRAFTS.test(rest),
  };
}

/**
 * Parses a file's name: `post.md`, `default.de.md`, `02.about.md`; null when it is not content. A name that
 * starts with `_` is a part of another system's pages, except `_index`.
 */
export function parseFileName(name: string, rules: NameRules): FileName | null {
  const dot = name.lastIndexOf(".");
  const format = formatOf(name);
  if (dot < 1 || isIgnoredName(name) || !rules.formats.has(format)) return null;
  const whole = name.slice(0, dot);
  const suffix = format === "tsx" ? null : readSuffix(whole);
  // In any spelling: `PT-br` and `pt_BR` are `pt-BR`.
  const lang =
    suffix === null ? undefined : rules.languages.find((code) => sameLanguage(code, suffix));
  const named = suffix === null || lang === undefined ? whole : whole.slice(0, -suffix.length - 1);
  const { order, rest } = splitOrder(named);
  if (rest.startsWith("_") && rest.toLowerCase() !== "_index") return null;
  return {
    stem: toSlug(rest),
    order,
    lang: lang ?? rules.defaultLanguage,
    format,
    foreignLanguage: lang === undefined ? foreignLanguage(suffix) : null,
    copySuffix: COPY_SUFFIX.exec(rest)?.groups?.["suffix"] ?? null,
  };
}

/** True for the path of a page below `content/`, by its name. */
export function isPagePath(path: string, rules: NameRules): boolean {
  return parseFileName(nameOf(path), rules) !== null;
}

function readSuffix(stem: string): string | null {
  const dot = stem.lastIndexOf(".");
  return dot > 0 ? stem.slice(dot + 1) : null;
}

/** A suffix that is the code of a language with a name, such as `fr`, `pt-PT` or `eng`; null for others. */
function foreignLanguage(suffix: string | null): string | null {
  return suffix !== null && LANGUAGE.test(suffix) && isForeign(suffix) ? suffix : null;
}

function isForeign(suffix: string): boolean {
  const [code = ""] = Intl.getCanonicalLocales(suffix.replaceAll("_", "-"));
  const [language = ""] = code.split("-");
  // Longer codes are words too often: `min` and `com` are languages.
  return language.length === 2 && (LanguageNames.has(language) || COUNTRIES.has(language));
}

/** True for files that the server runs: formats that run code, and modules that these import. */
export function isCode(path: string, codeFormats: ReadonlySet<string>): boolean {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return (extension !== undefined && codeFormats.has(extension)) || PART_OF_CODE.test(path);
}

/** The format of a file by its extension, in lower case: `README.MD` and `a.markdown` are `md`. */
export function formatOf(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return SAME_FORMAT.get(extension) ?? extension;
}

/**
 * A route segment that people can type: in composed Unicode form (NFC), without invisible characters and spaces
 * around it. Joiners stay, because words of Persian and Hindi and emoji need them.
 */
export function toSlug(text: string): string {
  if (PLAIN.test(text)) return text;
  return (
    text
      .normalize("NFC")
      .replace(INVISIBLE, "")
      .replace(/\p{Zs}/gu, " ")
      .trim() || text
  );
}

/**
 * True for names that are never content or media: dotfiles, packages, and what editors leave behind. A folder
 * such as `02.old` is numbered.
 */
export function isIgnoredName(name: string): boolean {
  if (name.startsWith(".") || name === "node_modules" || hasControls(name)) return true;
  if (SYSTEM_FILE.test(name)) return true;
  return isLeftover(name) && !/^\d{1,9}\.[^.]+$/.test(name);
}

/** True for the text of a page under another ending: neither a page nor media. */
export function isPageCopy(name: string): boolean {
  return PAGE_COPY.test(name);
}

/** True for files that editors, patches, merges and synchronised folders leave beside the real ones. */
export function isLeftover(name: string): boolean {
  return name.endsWith("~") || /^#.*#$/.test(name) || LEFTOVER.test(name) || MERGE_COPY.test(name);
}

/** True for names with control characters or a backslash, which no address can have. */
export function hasControls(name: string): boolean {
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
