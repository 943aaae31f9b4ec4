import type { List } from "../content/pages.js";
import { json, queryText } from "../request.js";

/** A file of a page. */
export interface MediaItem {
  readonly name: string;
  readonly url: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Fields of other pages and of records name it so; only in the list of the whole site. */
  readonly key?: string | null;
  /** Folder below `content/`; only in the list of the whole site. */
  readonly folder?: string;
}

/** Largest upload that the server accepts, in bytes. */
export const MAX_UPLOAD_BYTES = 50 * 1_048_576;

/** Files of a page or folder. */
export function pageMedia(path: string, { isBackground = false } = {}): Promise<List<MediaItem>> {
  return json(`/media${queryText({ path })}`, { isBackground });
}

/** Files of the whole site whose path, title or description has the words; and all folders. */
export function siteMedia(
  q: string,
  limit = 60,
): Promise<List<MediaItem> & { readonly folders: readonly string[] }> {
  return json(`/media${queryText({ q, limit })}`);
}

/** Uploads a file to a page. @throws ApiError 409 when a file of this name exists. */
export function uploadMedia(
  pagePath: string,
  file: File,
  name = file.name,
): Promise<{ path: string; item: MediaItem | null; warnings: readonly string[] }> {
  const body = new FormData();
  body.set("pagePath", pagePath);
  body.set("file", file, name);
  return json("/media/upload", { method: "POST", body });
}

/** A file's name with a number before its extension; the first has none. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot < 1 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
}
