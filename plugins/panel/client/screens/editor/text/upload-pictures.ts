import { done, failed, warnedOfFile } from "../../../app/toasts.js";
import { t } from "../editor-texts.js";
import { mediaAddresses } from "./live-markdown.js";
import { uploadFile } from "../../../api/uploads.js";

/** Uploads files to the page and reports those that fail; the others can be inserted. */
export async function uploadPictures(
  path: string,
  files: readonly File[],
): Promise<{ alt: string; url: string }[]> {
  const uploaded: { alt: string; url: string }[] = [];
  for (const file of files) {
    try {
      const { name, item, warnings } = await uploadFile(path, file);
      if (item !== null) mediaAddresses.add(item);
      warnedOfFile(name, warnings);
      uploaded.push({ alt: toAlt(name), url: name });
    } catch (error) {
      failed(new Error(t("upload.failed", { name: file.name, reason: reasonOf(error) })));
    }
  }
  if (uploaded.length > 0) done(t("upload.done", { n: uploaded.length }));
  return uploaded;
}

/** A proposal that the writer improves: the file's name as words. */
function toAlt(name: string): string {
  return name.replace(/\.[^.]+$/, "").replace(/[-_]+/g, " ");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
