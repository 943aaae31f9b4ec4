import { hash } from "node:crypto";

/**
 * A strong validator of the bytes of a body. In one call: a Hash object outlives the next
 * collections of garbage, one for each answer.
 */
export function strongEtag(body: string | Buffer): string {
  return `"${hash("sha1", body, "base64url")}"`;
}

/** Validators of buffers that are sent many times, each computed once. */
export function createLastingEtags(): (body: Buffer) => string {
  // No cache: a validator is a property of the buffer and goes with it.
  const etags = new WeakMap<Buffer, string>();
  return (body) => {
    const known = etags.get(body);
    if (known !== undefined) return known;
    const etag = strongEtag(body);
    etags.set(body, etag);
    return etag;
  };
}

/**
 * True when `If-None-Match` names the validator, or one of its encodings (`"x-gzip"`), or `*`.
 * Weak validators match too: a proxy that compresses makes ours weak.
 */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch.length > 4_096) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const core = etag.slice(1, -1);
  return ifNoneMatch.split(",").some((candidate) => {
    const value = candidate.trim().replace(/^W\//, "");
    return value === etag || value === `"${core}-gzip"` || value === `"${core}-br"`;
  });
}

/** The validator of a body in another encoding. */
export function encodedEtag(etag: string, encoding: "gzip" | "br"): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}
