/** What of a body goes out: all of it, a part, or nothing because the part does not exist. */
export type RangeAnswer =
  { kind: "whole" } | { kind: "part"; start: number; end: number } | { kind: "unsatisfiable" };

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
const WHOLE: RangeAnswer = { kind: "whole" };

/**
 * The part a `Range` header asks for (RFC 9110, 14.2); `end` is its last byte. Several ranges, and
 * what is no range, get the whole body.
 */
export function parseRange(header: string | undefined, size: number): RangeAnswer {
  const [, from = "", to = ""] = RANGE.exec(header?.trim() ?? "") ?? [];
  if (from !== "") return fromTo(Number(from), to === "" ? Infinity : Number(to), size);
  return to === "" ? WHOLE : lastBytes(Number(to), size);
}

function fromTo(start: number, end: number, size: number): RangeAnswer {
  if (end < start) return WHOLE;
  if (start >= size) return { kind: "unsatisfiable" };
  return { kind: "part", start, end: Math.min(end, size - 1) };
}

function lastBytes(count: number, size: number): RangeAnswer {
  if (count === 0 || size === 0) return { kind: "unsatisfiable" };
  return { kind: "part", start: Math.max(size - count, 0), end: size - 1 };
}

/** What identifies a body. */
export interface Validators {
  /** Strong, with quotes. */
  etag: string;
  /** Unix ms. */
  mtimeMs: number;
}
/** The request headers that make it conditional. */
export interface Conditions {
  "if-none-match"?: string | undefined;
  "if-modified-since"?: string | undefined;
  "if-range"?: string | undefined;
}

/** True when the client has this body already: 304 (RFC 9110, 13.2.2). */
export function isNotModified(conditions: Conditions, { etag, mtimeMs }: Validators): boolean {
  const tags = conditions["if-none-match"];
  if (tags !== undefined) {
    return tags.trim() === "*" || tags.split(",").some((tag) => weak(tag.trim()) === etag);
  }
  const since = conditions["if-modified-since"];
  return since !== undefined && Math.floor(mtimeMs / 1000) * 1000 <= Date.parse(since);
}

/** True when a `Range` counts: there is no `If-Range`, or it names this very body. */
export function isRangeFresh(conditions: Conditions, { etag, mtimeMs }: Validators): boolean {
  const condition = conditions["if-range"];
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === etag;
  return Date.parse(condition) === Math.floor(mtimeMs / 1000) * 1000;
}

function weak(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
