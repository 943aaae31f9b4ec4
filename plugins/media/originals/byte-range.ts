/** The part of a body to send: all of it, a range, or nothing because the range does not exist. */
export type RangeAnswer =
  { kind: "whole" } | { kind: "part"; start: number; end: number } | { kind: "unsatisfiable" };

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
const WHOLE: RangeAnswer = { kind: "whole" };

/**
 * Parses a `Range` header (RFC 9110, 14.2); `end` is the last byte. Several ranges, and invalid
 * ones, get the whole body.
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

/** Validators of a body. */
export interface Validators {
  /** Strong, with quotes. */
  etag: string;
  /** Unix ms. */
  mtimeMs: number;
}
/** The conditional headers of a request. */
export interface Conditions {
  "if-none-match"?: string | undefined;
  "if-modified-since"?: string | undefined;
  "if-range"?: string | undefined;
}

/** True when the client already has this body: 304 (RFC 9110, 13.2.2). */
export function isNotModified(conditions: Conditions, { etag, mtimeMs }: Validators): boolean {
  const tags = conditions["if-none-match"];
  if (tags !== undefined) {
    return tags.trim() === "*" || tags.split(",").some((tag) => weak(tag.trim()) === etag);
  }
  const since = conditions["if-modified-since"];
  return since !== undefined && Math.floor(mtimeMs / 1000) * 1000 <= Date.parse(since);
}

/** True when a `Range` applies: there is no `If-Range`, or it matches this body. */
export function isRangeFresh(conditions: Conditions, { etag, mtimeMs }: Validators): boolean {
  const condition = conditions["if-range"];
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === etag;
  return Date.parse(condition) === Math.floor(mtimeMs / 1000) * 1000;
}

function weak(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
