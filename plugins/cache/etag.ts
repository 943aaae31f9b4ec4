import { hash } from "node:crypto";
import type { ServerResponse } from "node:http";

/**
 * A strong validator for the bytes of a body. In one call, because a Hash object per response would
 * outlive several garbage collections.
 */
export function strongEtag(body: string | Buffer): string {
  return `"${hash("sha1", body, "base64url")}"`;
}

/** Computes the validator of a buffer once: many are sent again. */
export function createBufferEtags(): (body: Buffer) => string {
  // Not in site.cache: a validator is a property of the buffer and lives with it.
  const etags = new WeakMap<Buffer, string>();
  return (body) => {
    const cached = etags.get(body);
    if (cached !== undefined) return cached;
    const etag = strongEtag(body);
    etags.set(body, etag);
    return etag;
  };
}

/**
 * True when `If-None-Match` contains the validator, one of its encodings (`"x-gzip"`), or `*`. Weak
 * validators match too, because a compressing proxy makes ours weak.
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

/** Headers that a 304 repeats (RFC 9110, 15.4.5). */
const REPEATED = ["Cache-Control", "ETag", "Vary", "Expires"];

/** Sends 304 with the headers that caches need. */
export function sendNotModified(
  res: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const repeated = Object.entries(headers).filter(([name]) => REPEATED.includes(name));
  res.writeHead(304, Object.fromEntries(repeated));
  res.end();
}
