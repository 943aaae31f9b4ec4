import { MAX_UPLOAD_BYTES, uploadMedia } from "../../api/media.js";
import { ApiError } from "../../api/request.js";
import { done, failed } from "../../app/toasts.js";
import { t } from "./editor-texts.js";
import { mediaAddresses } from "./media-addresses.js";

const MAX_TRIES = 20;

/** Uploads files to the page and reports those that fail; the others can be inserted. */
export async function uploadPictures(
  path: string,
  files: readonly File[],
): Promise<{ alt: string; url: string }[]> {
  const uploaded: { alt: string; url: string }[] = [];
  for (const file of files) {
    try {
      const name = await uploadOne(path, file);
      uploaded.push({ alt: altOf(name), url: name });
    } catch (error) {
      failed(new Error(t("upload.failed", { name: file.name, reason: reasonOf(error) })));
    }
  }
  if (uploaded.length > 0) done(t("upload.done", { n: uploaded.length }));
  return uploaded;
}

/** The name under which the file is stored: another one when the name is taken. */
async function uploadOne(path: string, file: File): Promise<string> {
  if (file.size > MAX_UPLOAD_BYTES) {
    const most = MAX_UPLOAD_BYTES / 1_048_576;
    throw new Error(t("upload.large", { size: (file.size / 1_048_576).toFixed(1), most }));
  }
  for (let number = 1; ; number += 1) {
    const name = numbered(file.name, number);
    try {
      const { item } = await uploadMedia(path, file, name);
      if (item !== null) mediaAddresses.add(item);
      return item?.name ?? name;
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken || number === MAX_TRIES) throw error;
    }
  }
}

function numbered(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot < 1 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
}

/** A proposal that the writer improves: the file's name as words. */
function altOf(name: string): string {
  return name.replace(/\.[^.]+$/, "").replace(/[-_]+/g, " ");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
