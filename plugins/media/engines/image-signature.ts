/** Image types that can be processed. */
export type OriginalKind = "jpeg" | "png" | "gif" | "webp" | "avif" | "tiff";

/**
 * Detects the type of an image by its first bytes and ignores its name, so that decoders only see
 * listed types (not an SVG named `.jpg`). Null for anything else.
 */
export function imageSignature(bytes: Buffer): OriginalKind | null {
  const head = bytes.toString("latin1", 0, 12);
  if (head.length < 12) return null;
  const known = SIGNATURES.find(([, pattern]) => pattern.test(head));
  if (known !== undefined) return known[0];
  return head.slice(4, 8) === "ftyp" && isAvif(bytes) ? "avif" : null;
}

const SIGNATURES: readonly (readonly [OriginalKind, RegExp])[] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF[^]{4}WEBP/],
  ["tiff", /^(?:II[*+]\0|MM\0[*+])/],
];

// ISO 14496-12 4.3: major brand, version, compatible brands; the box contains its length.
function isAvif(bytes: Buffer): boolean {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = bytes.toString("latin1", 8, end);
  return /avi[fs]/.test(brands);
}
