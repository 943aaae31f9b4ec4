/** The encoding of a response body. */
export type Encoding = "identity" | "gzip" | "br";

/** Minimum bytes of a body worth compressing. */
const MIN_BYTES = 512;
const TEXT =
  /^(?:text\/|application\/(?:json|xml|rss\+xml|atom\+xml|feed\+json|javascript)|image\/svg)/;
const REFUSAL = /;\s*q=0(?:\.0*)?\s*(?:,|$)/;

/** True for text of a size that is worth compressing. */
export function isCompressible(type: string, bytes: number): boolean {
  return bytes >= MIN_BYTES && TEXT.test(type);
}

/**
 * The best of the offered encodings for `Accept-Encoding`. Rejected encodings (`br;q=0`) are rare: the
 * body is sent as it is.
 */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  isOffered: (encoding: Encoding) => boolean = () => true,
): Encoding {
  if (typeof accepted !== "string" || accepted === "" || REFUSAL.test(accepted)) return "identity";
  if (accepted.includes("br") && isOffered("br")) return "br";
  return accepted.includes("gzip") && isOffered("gzip") ? "gzip" : "identity";
}
