/** References of a body, taken apart. */
import { posix } from "node:path";
import type { PageEntry } from "../content/contract.js";
import { isLocalReference } from "./safe-url.js";

/** A reference taken apart: the decoded path, and what follows it as written. */
export interface Reference {
  path: string;
  /** Query and fragment. */
  suffix: string;
}

/** With `#`; empty where there is none, or it names nothing. */
export function fragmentOf({ suffix }: Reference): string {
  const mark = suffix.indexOf("#");
  return mark === -1 || mark === suffix.length - 1 ? "" : suffix.slice(mark);
}

/** Null for what leads out of the site, or cannot be decoded. */
export function splitReference(written: string): Reference | null {
  const url = written.trim();
  if (!isLocalReference(url)) return null;
  const end = url.search(/[?#]/);
  const path = decoded(end === -1 ? url : url.slice(0, end));
  if (path === null || path === "" || path.includes("\0") || path.includes("\\")) return null;
  return { path, suffix: end === -1 ? "" : url.slice(end) };
}

/** Path below the content folder; a root-relative one may name a content file, as in a repository. */
export function targetOf(from: PageEntry, path: string): string | null {
  const joined = path.startsWith("/") ? path.slice(1) : posix.join(from.folder, path);
  const target = posix.normalize(joined).replace(/\/+$/, "");
  return target === "" || target === "." || target.startsWith("..") ? null : target;
}

/** Folder of a path below the content folder; empty at the top. */
export function folderOf(target: string): string {
  const folder = posix.dirname(target);
  return folder === "." ? "" : folder;
}

/** Null for what is not percent-encoded as it should be. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
