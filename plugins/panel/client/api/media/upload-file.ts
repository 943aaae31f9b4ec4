import { ApiError } from "../request.js";
import { t } from "../../parts/parts-texts.js";
import { MAX_UPLOAD_BYTES, numberedName, uploadMedia, type MediaItem } from "./media.js";

const MAX_TRIES = 20;
const MEGABYTE = 1_048_576;

/** A file that was stored at a page. */
export interface StoredFile {
  /** The name it was stored under: its own, or a numbered one when that was taken. */
  readonly name: string;
  readonly item: MediaItem | null;
  /** Reasons why a picture cannot be resized; empty for other files. */
  readonly warnings: readonly string[];
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
    try {
      const { item, warnings } = await uploadMedia(path, file, name);
      return { name: item?.name ?? name, item, warnings };
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken || number === MAX_TRIES) throw error;
    }
  }
}
