import type { List } from "../content/pages.js";
import { ApiError, hooks, json, OfflineError, queryText, signedInSince } from "../request.js";
import { boot } from "../../boot.js";
import type { MediaItem } from "./media.js";

/** A file of the site. */
export interface LibraryItem extends MediaItem {
  /** The path below the content folder. */
  readonly path: string;
  readonly folder: string;
  /** Unix ms. */
  readonly mtimeMs: number;
  /** Pages whose text or front matter names it, as far as the account may read them. */
  readonly usedBy: readonly { readonly sourcePath: string; readonly title: string }[];
  /** Records whose fields name it, for accounts that may read records. */
  readonly usedByRecords: readonly { readonly type: string; readonly id: string }[];
  /** Smaller variants; empty for files that are not processed. */
  readonly srcset: string;
  readonly mayUpload: boolean;
  readonly mayDelete: boolean;
}
/** A part of the media library. */
export interface Library extends List<LibraryItem> {
  /** Folders with files. */
  readonly folders: readonly string[];
}
/** Filters of the library. */
export interface LibraryQuery {
  q?: string;
  folder?: string;
  /** `image`, `video`, `application/pdf`. */
  type?: string;
  /** From 1. */
  page?: number;
  limit?: number;
}
/** Keys of a file's sidecar; null removes a key. */
export type MetaChange = Readonly<Record<string, string | readonly number[] | null>>;

/** Files of the whole site by path. */
export function listLibrary(query: LibraryQuery): Promise<Library> {
  return json(`/media${queryText({ ...query })}`);
}

/** The file with this path; null when it does not exist. */
export async function findInLibrary(path: string): Promise<LibraryItem | null> {
  const { items } = await listLibrary({ q: path, limit: 500 });
  return items.find((item) => item.path === path) ?? null;
}

/** Folders that files may be uploaded to. */
export function listMediaFolders(q: string): Promise<List<{ path: string; title: string }>> {
  return json(`/media/folders${queryText({ q })}`);
}

/** Changes keys of a file's sidecar. */
export function describeFile(path: string, meta: MetaChange): Promise<unknown> {
  return json("/media/meta", { method: "PUT", body: { path, meta } });
}

/** Moves a file and its sidecar to the trash; returns its id there. */
export async function deleteFile(path: string): Promise<string | null> {
  const call = { method: "DELETE" } as const;
  return (await json<{ trashId: string | null }>(`/media${queryText({ path })}`, call)).trashId;
}

/** A file to upload. */
export interface FileUpload {
  /** The folder of a page. */
  folder: string;
  file: File;
  /** The name to store it under. */
  name: string;
  /** True: replaces a file of this name. */
  overwrite: boolean;
  /** Called with the sent part, from 0 to 1. */
  onProgress(part: number): void;
}

/** A file that was stored. */
export interface StoredFile {
  readonly path: string;
  /** Reasons why a picture cannot be resized; empty for other files. */
  readonly warnings: readonly string[];
}

/** Uploads a file. @throws ApiError 409 when a file of this name exists. */
export function uploadFile(given: FileUpload): Promise<StoredFile> {
  const { folder, file, name, overwrite, onProgress } = given;
  const body = new FormData();
  body.set("pagePath", folder);
  body.set("overwrite", String(overwrite));
  body.set("file", file, name);
  return upload("/media/upload", body, onProgress);
}

/**
 * Posts form data and reports how much was sent, which `fetch` cannot. An expired session asks to sign
 * in and repeats the request.
 * @throws ApiError, OfflineError.
 */
async function upload<T>(
  path: string,
  body: FormData,
  onProgress: (part: number) => void,
): Promise<T> {
  const { signIns } = hooks;
  const first = await send(path, body, onProgress);
  const isSignedIn = first.status === 401 && (await signedInSince(signIns));
  const { status, text } = isSignedIn ? await send(path, body, onProgress) : first;
  const data = parsed(text, status);
  if (status < 200 || status > 299) throw new ApiError(status, data);
  // The server's own route: its shape is declared beside the call.
  return data as T;
}

function send(
  path: string,
  body: FormData,
  onProgress: (part: number) => void,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${boot.path}/api${path}`);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("x-csrf-token", hooks.csrfToken);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve({ status: request.status, text: request.responseText });
    request.onerror = () => reject(new OfflineError("the connection was lost"));
    request.send(body);
  });
}

function parsed(text: string, status: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // A proxy answered, with a page of its own.
  }
  return { error: `HTTP ${status}: ${text.slice(0, 200)}` };
}
