/** Kinds of originals that are processed. */
export type OriginalKind = "jpeg" | "png" | "gif" | "webp" | "avif" | "tiff";

/**
 * The kind of an image by its first bytes, whatever its name says: a decoder only ever sees what is
 * on this list (an SVG named `.jpg` would otherwise be drawn). Null for anything else.
 */
export function imageSignature(bytes: Buffer): OriginalKind | null {
  if (bytes.length < 12) return null;
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return "jpeg";
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "gif";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "webp";
  if (/^(?:II[*+]\0|MM\0[*+])/.test(head)) return "tiff";
  return head.slice(4, 8) === "ftyp" && isAvif(bytes) ? "avif" : null;
}

// ISO 14496-12 4.3: major brand, version, compatible brands; the box says how long it is.
function isAvif(bytes: Buffer): boolean {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = bytes.toString("latin1", 8, end);
  return /avi[fs]/.test(brands);
}
