/** Parsing of references in a body. */
import { posix } from "node:path";
import { PAGE_EXTENSION } from "#kernel/internal";
import type { PageEntry } from "../../content/contract.js";
import { isLocalReference } from "../render/html/safe-url.js";

/** A parsed reference: the decoded path, and its suffix as written. */
export interface Reference {
  path: string;
  /** Query and fragment. */
  suffix: string;
}

/** The fragment with `#`; empty when it is missing or only `#`. */
export function fragmentOf({ suffix }: Reference): string {
  const mark = suffix.indexOf("#");
  return mark === -1 || mark === suffix.length - 1 ? "" : suffix.slice(mark);
}

/** Null for a reference to another site, or one that cannot be decoded. */
export function splitReference(written: string): Reference | null {
  const url = written.trim();
  if (!isLocalReference(url)) return null;
  const end = url.search(/[?#]/);
  const path = decoded(end === -1 ? url : url.slice(0, end));
  if (path === null || path === "" || path.includes("\0") || path.includes("\\")) return null;
  return { path, suffix: end === -1 ? "" : url.slice(end) };
}

/**
 * Path below the content folder; a root-relative one may name a content file, as in a repository.
 */
export function targetOf(from: PageEntry, path: string): string | null {
  const joined = path.startsWith("/") ? path.slice(1) : posix.join(from.folder, path);
  const target = posix.normalize(joined).replace(/(?<!\/)\/+$/, "");
  return target === "" || target === "." || target.startsWith("..") ? null : target;
}

/** False for the path of a file that is no page, such as an image. */
export function mayBePage(path: string): boolean {
  return !/\.[^./]+$/.test(path) || PAGE_EXTENSION.test(path) || /\.html?$/i.test(path);
}

/**
 * Paths that a reference may mean where it names neither a file nor an address: the same one, relative to
 * a page that other generators serve as a folder, or from the root of a folder above. The name of a file
 * may start at the top.
 */
export function looseTargets({ folder, sourcePath }: PageEntry, path: string): string[] {
  if (/^\/*$/.test(path)) return [];
  const folders = [folder, sourcePath.replace(/\.[^./]+$/, "")];
  if (PAGE_EXTENSION.test(path)) folders.push("");
  if (path.startsWith("/")) {
    const above = folder.split("/").filter(Boolean);
    folders.splice(
      0,
      2,
      "",
      ...above.map((_name, at) => above.slice(0, above.length - at).join("/")),
    );
  }
  return folders
    .map((base) => posix.normalize(posix.join(base, path)).replace(/^\/+|\/+$/g, ""))
    .filter((target) => target !== "" && target !== "." && !target.startsWith(".."));
}

/** The folder of a path below the content folder; empty at the top. */
export function folderOf(target: string): string {
  const folder = posix.dirname(target);
  return folder === "." ? "" : folder;
}

/** Null for malformed percent-encoding. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
