/**
 * The accounts that own pages: those that the key `owner` of the front matter names by their ids. A role with
 * `pages: own` changes only the pages of its account.
 */
import { splitOrder } from "#lib/text";
import type { PageEntry } from "../contract.js";
import type { FolderPages } from "../index/lookups.js";
import {
  folderOf,
  isPagePath,
  nameOf,
  parseFileName,
  parseFolderName,
} from "../read/source-name.js";
import type { NameRules } from "../read/source-name.js";
import { recordOfBytes } from "../read/source-record.js";

/** The pages of folders, as the index knows them. */
interface FolderIndex {
  /** The pages of a folder below the content folder. */
  folder(path: string): FolderPages | undefined;
}
/** The pages of the index, and the files that it could not read as pages. */
interface PageIndex extends FolderIndex {
  readonly bySource: ReadonlyMap<string, PageEntry>;
  readonly records: { has(path: string): boolean };
}

/** The accounts in the key `owner`: one id, or a list. */
export function readOwners({ owner }: Readonly<Record<string, unknown>>): readonly string[] {
  const all: readonly unknown[] = Array.isArray(owner) ? owner : [owner];
  return all.flatMap((one) => (typeof one === "string" && one !== "" ? [one] : []));
}

/** The owners of a page by its bytes. A page whose front matter cannot be read has none. */
export function ownersOfText(path: string, bytes: Buffer): readonly string[] {
  const { error, frontmatter } = recordOfBytes(path, bytes);
  return error === null ? readOwners(frontmatter) : [];
}

/** True for a file of a module, which is shown in the page above it: it belongs to the owners of that page. */
export function isOfModule(path: string): boolean {
  return carrierOf(path) !== null;
}

/**
 * The owners of a page, a medium or a folder as the index knows them. Null: there is no such page yet, or the folder has
 * no page.
 */
export function ownersAt(
  path: string,
  index: PageIndex,
  rules: NameRules,
): readonly string[] | null {
  const isPage = isPagePath(path, rules);
  if (isPage && !isOfModule(path)) {
    const entry = index.bySource.get(path);
    if (entry !== undefined) return readOwners(entry.frontmatter);
    if (index.records.has(path)) return [];
  }
  // The index does not know files: a name without an extension is that of a folder.
  const isFolder = !isPage && !splitOrder(nameOf(path)).rest.includes(".");
  if (isFolder) return unionOf(index.folder(path)?.own);
  const owners = ownersOfPart(path, index, { rules, created: new Set() });
  return owners ?? (isPage ? null : []);
}

/**
 * The owners of the page that a file is a part of: a translation of the page in other languages, a module of the page
 * above it, a medium of the page of its folder. Null: there is no such page. `created` are the folders of pages that
 * do not exist yet: their files are no parts of pages further up.
 */
export function ownersOfPart(
  path: string,
  index: FolderIndex,
  { rules, created }: { readonly rules: NameRules; readonly created: ReadonlySet<string> },
): readonly string[] | null {
  const carrier = carrierOf(path);
  if (carrier !== null) return unionOf(index.folder(carrier)?.own);
  if (isPagePath(path, rules)) return unionOf(translationsOf(path, index, rules));
  return ownersOfMedia(folderOf(path), index, created);
}

/** The folder of the page that shows the module of a file; null for a file of no module. */
function carrierOf(path: string): string | null {
  const folders = path.split("/").slice(0, -1);
  const at = folders.findIndex((name) => {
    const { isModule, isHidden, isDrafts } = parseFolderName(name);
    return (isModule || isHidden) && !isDrafts;
  });
  return at === -1 ? null : folders.slice(0, at).join("/");
}

/** The files of the same page in other languages and formats. */
function translationsOf(path: string, index: FolderIndex, rules: NameRules): PageEntry[] {
  const { own = [], flat = [] } = index.folder(folderOf(path)) ?? {};
  const stem = stemOf(path, rules);
  return [...own, ...flat].filter(
    ({ sourcePath }) => sourcePath !== path && stemOf(sourcePath, rules) === stem,
  );
}

function stemOf(path: string, rules: NameRules): string | null {
  return parseFileName(nameOf(path), rules)?.stem.toLowerCase() ?? null;
}

/** The owners of the page of a folder, else of the nearest one above. Flat pages share the files of their folder. */
function ownersOfMedia(
  folder: string,
  index: FolderIndex,
  created: ReadonlySet<string>,
): readonly string[] | null {
  const { own = [], flat = [] } = index.folder(folder) ?? {};
  if (own.length > 0) return unionOf(own);
  if (flat.length > 0) return sharedBy(flat);
  for (let at = folder; at !== "" && !created.has(at); at = folderOf(at)) {
    const pages = index.folder(at)?.own ?? [];
    if (pages.length > 0) return unionOf(pages);
  }
  return null;
}

/** Accounts that own a language of the page; null without pages. */
function unionOf(pages: readonly PageEntry[] = []): readonly string[] | null {
  if (pages.length === 0) return null;
  return [...new Set(pages.flatMap(({ frontmatter }) => readOwners(frontmatter)))];
}

/** Accounts that own every page. */
function sharedBy(pages: readonly PageEntry[]): readonly string[] {
  const [first = [], ...others] = pages.map(({ frontmatter }) => readOwners(frontmatter));
  return first.filter((owner) => others.every((owners) => owners.includes(owner)));
}
