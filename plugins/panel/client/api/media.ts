import { language } from "../app/texts.js";
import { boot, siteHref } from "../boot.js";
import { t } from "../parts/parts-texts.js";
import {
  type Answer,
  ApiError,
  call,
  hooks,
  OfflineError,
  type Query,
  signedInSince,
} from "./request.js";
import type { Library, LibraryItem } from "./answers.js";

/** Files of the whole site by path, and all folders. */
export async function listLibrary(query: Omit<Query<"GET /media">, "path">): Promise<Library> {
  const answer = await call("GET /media", { query });
  if ("folders" in answer) return answer;
  throw new Error("the response is not that of the whole site");
}

/** The file with this path; null when it does not exist. */
export async function findInLibrary(path: string): Promise<LibraryItem | null> {
  const { items } = await listLibrary({ q: path, limit: 500 });
  return items.find((item) => item.path === path) ?? null;
}

/** Address and smaller variants of a picture; both change with the file, which browsers cache. */
export function picture(
  { url, srcset, mtimeMs }: LibraryItem,
  sizes: string,
): { src: string; srcset?: string; sizes?: string } {
  const version = Math.round(mtimeMs);
  const src = `${siteHref(url)}?v=${version}`;
  if (srcset === "") return { src };
  const candidates = srcset
    .replaceAll(/(^|,\s+)(\S+)/g, (_all, gap: string, address: string) => gap + siteHref(address))
    .replaceAll(/\?\S+/g, (query) => `${query}&v=${version}`);
  return { src, srcset: candidates, sizes };
}

/** True for files that browsers show as pictures. */
export function isPicture({ type }: Pick<LibraryItem, "type">): boolean {
  return type.startsWith("image/");
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** `1.2 MB`, in the person's language. */
export function fileSize(bytes: number): string {
  let value = bytes;
  let at = 0;
  while (value >= 1_000 && at < UNITS.length - 1) {
    value /= 1_000;
    at += 1;
  }
  const unit = UNITS[at] ?? "byte";
  const maximumFractionDigits = at === 0 ? 0 : 1;
  return value.toLocaleString(language, { style: "unit", unit, maximumFractionDigits });
}

const MAX_TRIES = 20;
const MEGABYTE = 1_048_576;
/** Largest upload that the server accepts, in bytes. */
export const MAX_UPLOAD_BYTES = 50 * MEGABYTE;

/** A file that was stored at a page. */
interface StoredFile extends Pick<Answer<"POST /media/upload">, "item" | "warnings"> {
  /** The name it was stored under: its own, or a numbered one when that was taken. */
  readonly name: string;
}

/**
 * Uploads a file to a page.
 * @throws ApiError, OfflineError, Error for a file that is too large.
 */
export async function uploadFile(path: string, file: File): Promise<StoredFile> {
  if (file.size > MAX_UPLOAD_BYTES) {
    const most = MAX_UPLOAD_BYTES / MEGABYTE;
    throw new Error(t("upload.large", { size: (file.size / MEGABYTE).toFixed(1), most }));
  }
  for (let number = 1; ; number += 1) {
    const name = numberedName(file.name, number);
    const body = new FormData();
    body.set("pagePath", path);
    body.set("file", file, name);
    try {
      const { item, warnings } = await call("POST /media/upload", { body });
      return { name: item?.name ?? name, item, warnings };
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken || number === MAX_TRIES) throw error;
    }
  }
}

/** A file's name with a number before its extension; the first has none. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot < 1 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
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
export type UploadResult = Answer<"POST /media/upload">;

/**
 * Uploads a file and reports how much was sent, which `fetch` cannot. An expired session asks to sign in
 * and repeats the request.
 * @throws ApiError 409 when a file of this name exists, OfflineError.
 */
export async function uploadWithProgress(upload: FileUpload): Promise<UploadResult>;
export async function uploadWithProgress(upload: FileUpload): Promise<unknown> {
  const { folder, file, name, overwrite, onProgress } = upload;
  const body = new FormData();
  body.set("pagePath", folder);
  body.set("overwrite", String(overwrite));
  body.set("file", file, name);
  const { signIns } = hooks;
  const first = await send(body, onProgress);
  const isSignedIn = first.status === 401 && (await signedInSince(signIns));
  const { status, text } = isSignedIn ? await send(body, onProgress) : first;
  const data = parsed(text, status);
  if (status < 200 || status > 299) throw new ApiError(status, data);
  return data;
}

function send(
  body: FormData,
  onProgress: (part: number) => void,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${boot.path}/api/media/upload`);
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
