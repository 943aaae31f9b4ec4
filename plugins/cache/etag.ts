import { hash } from "node:crypto";

/**
 * A strong validator of the bytes of a body. In one call: a Hash object outlives the next
 * collections of garbage, one for each answer.
 */
export function strongEtag(body: string | Buffer): string {
  return `"${hash("sha1", body, "base64url")}"`;
}

/** Validators of buffers that are kept and sent many times, each worked out once. */
export function createLastingEtags(): (body: Buffer) => string {
  const known = new WeakMap<Buffer, string>();
  return (body) => {
    const made = known.get(body);
    if (made !== undefined) return made;
    const etag = strongEtag(body);
    known.set(body, etag);
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
