import { t } from "../parts/parts-texts.js";
import { ApiError, call, type Answer } from "./request.js";

/** Largest upload that the server accepts, in bytes. */
export const MAX_UPLOAD_BYTES = 50 * 1_048_576;
const MAX_TRIES = 20;
const MEGABYTE = 1_048_576;

/** A file that was stored at a page. */
export interface StoredFile extends Pick<Answer<"POST /media/upload">, "item" | "warnings"> {
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
