import { extname } from "node:path";
import { HttpError } from "#kernel";

/** Extensions that are pages, settings of media or programs: never media. */
const REFUSED: ReadonlySet<string> = new Set(
  ".md .mdx .tsx .ts .jsx .js .mjs .cjs .yaml .yml .html .htm .xhtml .php .exe .sh .bat".split(" "),
);
/** Extensions of one type that stand for each other. */
const SAME: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  jpe: "jpg",
  tif: "tiff",
  m4v: "mp4",
  m4a: "mp4",
  mov: "mp4",
  oga: "ogg",
  ogv: "ogg",
  opus: "ogg",
};
/** Containers: what file-type sees in these is `zip`, `xml` or `cfb`. */
const CONTAINED: Readonly<Record<string, readonly string[]>> = {
  zip: ["docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "zip", "jar"],
  xml: ["svg", "xml", "gpx", "kml"],
  cfb: ["doc", "xls", "ppt", "msg"],
};
/** Texts: file-type knows no signature of them. */
const TEXTS: ReadonlySet<string> = new Set(
  "txt csv tsv json svg xml vtt srt ics vcf gpx kml geojson".split(" "),
);

/** The name under which an uploaded file is kept. @throws HttpError 400, 415. */
export function mediaName(original: string): string {
  const base = original.split(/[/\\]/).at(-1) ?? "";
  const name = base
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.\-~]+/, "");
  const extension = extname(name).toLowerCase();
  if (name === "" || Buffer.byteLength(name) > 200 || extension === "" || extension === ".") {
    throw new HttpError(
      400,
      `${JSON.stringify(base.slice(0, 80))} is no file name with an extension`,
    );
  }
  if (REFUSED.has(extension)) {
    throw new HttpError(415, `files of type ${JSON.stringify(extension)} are no media`);
  }
  return name;
}

/** Holds the bytes to the extension. @throws HttpError 415. */
export async function assertMediaType(name: string, bytes: Buffer): Promise<void> {
  const { fileTypeFromBuffer } = await import("file-type");
  const extension = extname(name).slice(1).toLowerCase();
  const found = (await fileTypeFromBuffer(bytes))?.ext;
  if (found === undefined ? isText(extension, bytes) : agree(extension, found)) return;
  const seen = found === undefined ? "no known type" : JSON.stringify(found);
  throw new HttpError(415, `${JSON.stringify(name)} holds ${seen}, not what its extension says`);
}

function agree(extension: string, found: string): boolean {
  const same = (one: string): string => SAME[one] ?? one;
  return same(extension) === same(found) || CONTAINED[found]?.includes(extension) === true;
}

function isText(extension: string, bytes: Buffer): boolean {
  return TEXTS.has(extension) && !bytes.subarray(0, 4_096).includes(0);
}
