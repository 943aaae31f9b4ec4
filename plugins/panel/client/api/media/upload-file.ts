import { numberedName } from "../../parts/numbered-name.js";
import { t } from "../../parts/parts-texts.js";
import { MAX_UPLOAD_BYTES, uploadMedia, type MediaItem } from "./media.js";
import { ApiError } from "../request.js";

const MAX_TRIES = 20;
const MEGABYTE = 1_048_576;

/**
 * Uploads a file to a page; the name under which it is stored: another one when the name is taken.
 * @throws ApiError, OfflineError, Error for a file that is too large.
 */
export async function uploadFile(
  path: string,
  file: File,
  onStored?: (item: MediaItem) => void,
): Promise<string> {
  if (file.size > MAX_UPLOAD_BYTES) {
    const most = MAX_UPLOAD_BYTES / MEGABYTE;
    throw new Error(t("upload.large", { size: (file.size / MEGABYTE).toFixed(1), most }));
  }
  for (let number = 1; ; number += 1) {
    const name = numberedName(file.name, number);
    try {
      const { item } = await uploadMedia(path, file, name);
      if (item !== null) onStored?.(item);
      return item?.name ?? name;
    } catch (error) {
      if (!isTaken(error) || number === MAX_TRIES) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}
