import { extname } from "node:path";
import { HttpError } from "#kernel";
import { mediaTypeOf } from "#lib/files";

/** Interchangeable extensions of one type. */
const SAME: Readonly<Record<string, string>> = {
  // An animation in a PNG.
  apng: "png",
  // One container, of HEVC images.
  heif: "heic",
  m4v: "mp4",
  m4a: "mp4",
  mov: "mp4",
  oga: "ogg",
  ogv: "ogg",
  opus: "ogg",
};
/** Containers: file-type detects these as `zip`, `xml` or `cfb`. */
const CONTAINED: Readonly<Record<string, readonly string[]>> = {
  zip: ["docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "zip", "jar"],
  xml: ["svg", "xml", "gpx", "kml"],
  cfb: ["doc", "xls", "ppt", "msg"],
};
/** Text formats, which have no signature. */
const TEXTS: ReadonlySet<string> = new Set(
  "txt csv tsv json svg xml vtt srt ics vcf gpx kml geojson".split(" "),
);

/**
 * Checks that a file's first bytes match the extension of its name.
 * @throws HttpError 415.
 */
export async function assertFileType(name: string, beginning: Buffer): Promise<void> {
  const { fileTypeFromBuffer } = await import("file-type");
  const extension = extname(name).slice(1).toLowerCase();
  const detected = (await fileTypeFromBuffer(beginning))?.ext;
  if (detected === undefined ? isText(extension, beginning) : agree(extension, detected)) return;
  const seen = detected === undefined ? "no known type" : JSON.stringify(detected);
  const shown = JSON.stringify(name.slice(0, 80));
  throw new HttpError(415, `${shown} holds ${seen}, not what its extension says`);
}

function agree(extension: string, detected: string): boolean {
  const same = (one: string): string => SAME[one] ?? one;
  if (same(extension) === same(detected)) return true;
  // Suffixes of one image type, such as `.jfif` of a JPEG.
  const type = mediaTypeOf(`a.${detected}`);
  const isImage = type.startsWith("image/") && mediaTypeOf(`a.${extension}`) === type;
  return isImage || CONTAINED[detected]?.includes(extension) === true;
}

function isText(extension: string, bytes: Buffer): boolean {
  return TEXTS.has(extension) && !bytes.subarray(0, 4_096).includes(0);
}
