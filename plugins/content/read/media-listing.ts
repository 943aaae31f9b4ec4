/** Files next to pages: media and their sidecars. */
import { constants, type Dirent } from "node:fs";
import { lstat, open, realpath, stat, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { mediaTypeOf } from "#lib/files";
import { isMissing } from "#lib/errors";
import { encodeSegment } from "../view/address.js";
import type { ContentProblem, MediaItem } from "../contract.js";
import { parseYamlMap } from "./front-matter/full-yaml.js";
import { mediaTexts } from "./front-matter/text-keys.js";
import { readPlainYaml } from "./front-matter/plain-yaml.js";
import { errorCode } from "./read-source.js";
import {
  formatOf,
  folderOf,
  isIgnoredName,
  isLeftover,
  isPageCopy,
  joinPath,
  nameOf,
  parseFolderName,
  sameName,
} from "./source-name.js";
import type { TreeRules } from "./walk.js";

/** The end of the names of sidecars. */
export const SIDECAR_ENDING = ".meta.yaml";
/** Every spelling of it, so that what is meant as a sidecar is not served. */
const ALMOST_SIDECAR = /\.meta\.ya?ml$/i;
/** A larger sidecar is reported and not read. */
export const MAX_SIDECAR_BYTES = 64 * 1024;

/** True for a file with fields of media. */
export function isSidecar(path: string): boolean {
  return path.endsWith(SIDECAR_ENDING);
}

/** A listing with the problems of its sidecars. */
export interface MediaListing {
  items: readonly MediaItem[];
  problems: readonly ContentProblem[];
}

/** True for names that are served as media: not content, sidecars, dotfiles or temporary files. */
export function isMediaName(name: string, rules: TreeRules): boolean {
  if (name === "" || isIgnoredName(name) || isLeftover(name) || name.includes("/")) return false;
  if (ALMOST_SIDECAR.test(name) || name.endsWith(".frontmatter.yaml")) return false;
  if (isPageCopy(name)) return false;
  return !rules.formats.has(formatOf(name));
}

/** True for folders whose files are served: below the root, not drafts, hidden or reserved. */
export function isMediaFolder(folder: string, rules: TreeRules): boolean {
  if (folder === "") return true;
  if (folder.startsWith("/") || rules.isReserved(folder)) return false;
  return folder
    .split("/")
    .every((name) => name !== "" && name !== ".." && !isIgnoredName(name) && !isDrafts(name));
}

/** True for the names of folders whose pages are drafts, with or without a number. */
function isDrafts(name: string): boolean {
  return name.includes("_") && parseFolderName(name).isDrafts;
}

/**
 * The media of a folder, by name; empty when the folder does not exist.
 * @throws the system error for unreadable files.
 */
export async function listMedia(folder: string, rules: TreeRules): Promise<MediaListing> {
  const problems: ContentProblem[] = [];
  if (!isMediaFolder(folder, rules)) return { items: [], problems };
  const entries = await listEntries(join(rules.root, folder));
  // Most entries of a folder with many pages are folders.
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const items: MediaItem[] = [];
  for (const name of names.filter((each) => isMediaName(each, rules)).sort()) {
    const stats = await statMedia(folder, name, rules);
    if (stats === null) continue;
    const meta = names.includes(name + SIDECAR_ENDING)
      ? await readSidecar(folder, name, rules)
      : { data: {} };
    if ("problem" in meta) problems.push(meta.problem);
    const { size, mtimeMs } = stats;
    const facts = { size, mtimeMs, meta: "data" in meta ? meta.data : {} };
    items.push(mediaItem(joinPath(folder, name), facts));
  }
  problems.push(...nameProblems(folder, names, items));
  return { items, problems };
}

/** Names that are almost those of a sidecar or a page, and files that have one address. */
function nameProblems(
  folder: string,
  names: readonly string[],
  items: readonly MediaItem[],
): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const report = (name: string, problem: Omit<ContentProblem, "sourcePath">): void => {
    problems.push({ sourcePath: joinPath(folder, name), ...problem });
  };
  const exact = new Set(names);
  for (const name of names) {
    if (isIgnoredName(name) || isLeftover(name)) continue;
    const base = name.replace(ALMOST_SIDECAR, "");
    if (base !== name && !(name.endsWith(SIDECAR_ENDING) && exact.has(base))) {
      const owner = names.find((other) => addressKey(other) === addressKey(base)) ?? base;
      const shown = JSON.stringify(owner + SIDECAR_ENDING);
      const message = `this sidecar is not read: the one of a file is named ${shown}`;
      report(name, { severity: "warning", code: "ERR_CONTENT_SIDECAR", message });
    } else if (isPageCopy(name)) {
      const message =
        "the name is that of a page with another ending; the file is neither a page nor served, rename or remove it";
      report(name, { severity: "warning", code: "ERR_CONTENT_NAME", message });
    }
  }
  const byAddress = new Map<string, string>();
  for (const { name } of items) {
    const key = addressKey(name);
    const other = byAddress.get(key);
    if (other === undefined) byAddress.set(key, name);
    else report(name, sameAddress(name, other));
  }
  return problems;
}

function addressKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function sameAddress(name: string, other: string): Omit<ContentProblem, "sourcePath"> {
  const shown = JSON.stringify(other);
  const code = "ERR_CONTENT_NAME";
  if (sameName(name, other)) {
    const message = `the name is the address of ${shown} too, in another form of Unicode; rename one of them`;
    return { severity: "error", code, message };
  }
  const message = `the name differs from ${shown} only in upper and lower case, so that Windows and macOS keep one of them only; rename one of them`;
  return { severity: "warning", code, message };
}

/** The item of a file below the content folder. */
export function mediaItem(
  path: string,
  { size, mtimeMs, meta }: Pick<MediaItem, "size" | "mtimeMs" | "meta">,
): MediaItem {
  const name = nameOf(path);
  const url = mediaUrl(folderOf(path), name);
  return { name, url, type: mediaTypeOf(name), size, meta, mtimeMs };
}

/** The address of a media file. */
export function mediaUrl(folder: string, name: string): string {
  return `/content-media/${joinPath(folder, name).split("/").map(encodeSegment).join("/")}`;
}

/** A media file on disk. */
export interface MediaOnDisk {
  /** Real path. */
  readonly file: string;
  /** Its folder below the content folder, as it is spelled on disk. */
  readonly folder: string;
}

/**
 * A media file; null when it is not media or is outside the content folder. Names compare in NFC.
 * @throws the system error for an unreadable file.
 */
export async function findMedia(
  folder: string,
  name: string,
  rules: TreeRules,
): Promise<MediaOnDisk | null> {
  if (!isMediaFolder(folder, rules) || !isMediaName(name, rules)) return null;
  const stats = await statMedia(folder, name, rules);
  if (stats !== null) return { file: stats.file, folder };
  const path = await literalPath(rules.root, joinPath(folder, name));
  const other = path === null ? null : await statMedia(folderOf(path), nameOf(path), rules);
  return path === null || other === null ? null : { file: other.file, folder: folderOf(path) };
}

interface FoundMedia {
  file: string;
  size: number;
  mtimeMs: number;
}

async function statMedia(
  folder: string,
  name: string,
  rules: TreeRules,
): Promise<FoundMedia | null> {
  try {
    const [root, file] = await Promise.all([
      realpath(rules.root),
      realpath(join(rules.root, folder, name)),
    ]);
    // The target of a link must itself be servable.
    if (!isServable(file.startsWith(root + sep) ? file.slice(root.length + 1) : "", rules))
      return null;
    const stats = await stat(file);
    return stats.isFile() ? { file, size: stats.size, mtimeMs: stats.mtimeMs } : null;
  } catch (error) {
    // A cyclic link, or an invalid file name.
    if (isMissing(error) || ["ELOOP", "ERR_INVALID_ARG_VALUE"].includes(errorCode(error)))
      return null;
    throw error;
  }
}

function isServable(path: string, rules: TreeRules): boolean {
  const segments = path.split(sep);
  const name = segments.pop() ?? "";
  return (
    isMediaFolder(segments.join("/"), rules) && isMediaName(name, rules) && !rules.isReserved(path)
  );
}

type Sidecar = { data: Readonly<Record<string, unknown>> } | { problem: ContentProblem };

async function readSidecar(folder: string, name: string, rules: TreeRules): Promise<Sidecar> {
  const sourcePath = joinPath(folder, name + SIDECAR_ENDING);
  const text = await readSmallText(join(rules.root, sourcePath));
  if (text === null) return { data: {} };
  if (typeof text === "number") {
    const message = `the sidecar has ${text} bytes, at most ${MAX_SIDECAR_BYTES} are read`;
    return { problem: { sourcePath, severity: "error", code: "ERR_CONTENT_SIDECAR", message } };
  }
  const plain = readPlainYaml(text);
  if (plain !== undefined) return { data: mediaTexts(plain.data, plain.texts) };
  const result = parseYamlMap(text);
  if ("data" in result) return { data: mediaTexts(result.data, result.texts) };
  const { message, line } = result.issue;
  const code = "ERR_CONTENT_SIDECAR";
  return {
    problem: { sourcePath, severity: "error", code, message, ...(line !== undefined && { line }) },
  };
}

/** The text of a small file, or the bytes of a larger one; null when it is missing or a link. */
async function readSmallText(file: string): Promise<string | number | null> {
  try {
    if (!(await lstat(file)).isFile()) return null;
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { size } = await handle.stat();
      return size > MAX_SIDECAR_BYTES ? size : await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error) || errorCode(error) === "ELOOP") return null;
    throw error;
  }
}

// oxlint-disable-next-line no-control-regex -- plain names have one form only
const PLAIN = /^[\u0000-\u007f]*$/;

/**
 * The path below `root` of a file whose names are written in another normal form: macOS decomposes `é`. Null when
 * no file is meant, or two are.
 */
async function literalPath(root: string, path: string): Promise<string | null> {
  if (PLAIN.test(path)) return null;
  const names: string[] = [];
  for (const name of path.split("/")) {
    const literal = PLAIN.test(name) ? name : await literalName(join(root, ...names), name);
    if (literal === null) return null;
    names.push(literal);
  }
  return names.join("/");
}

async function literalName(directory: string, name: string): Promise<string | null> {
  const names = (await listEntries(directory)).map((entry) => entry.name);
  if (names.includes(name)) return name;
  const same = names.filter((other) => other.normalize("NFC") === name.normalize("NFC"));
  return same.length === 1 ? (same[0] ?? null) : null;
}

/** The entries of a folder; none when it does not exist. @throws the system error for an unreadable one. */
async function listEntries(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
