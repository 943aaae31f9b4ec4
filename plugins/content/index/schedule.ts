/** Times of front matter, and when a page is public. */
import { isCalendarDay } from "#kernel/internal";
import type { PageEntry } from "../contract.js";

const LOOSE_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T ])/;

/** A front matter date as YYYY-MM-DD; null when it is not a calendar date. */
export function parseDate(value: unknown): string | null {
  const match = typeof value === "string" ? LOOSE_DATE.exec(value.trim()) : null;
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (!isCalendarDay(year, month, day)) return null;
  return `${match[1]}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** True for a date with a time of day. */
export function hasTime(date: string): boolean {
  return /[T ]\d{2}:\d{2}/.test(date);
}

/** The fields that decide when a page is public. */
export type Release = Pick<PageEntry, "published" | "status" | "publishAt" | "unpublishAt">;

/** True when the page is released at `now`, regardless of the viewer. */
export function isReleased(entry: Release, now: number): boolean {
  if (!entry.published || entry.status !== "published") return false;
  if (entry.publishAt !== null && now < entry.publishAt) return false;
  return entry.unpublishAt === null || now < entry.unpublishAt;
}

/** True when `next` makes a page public at any time from `now` on at which `before` does not. */
export function bringsOut(before: Release | null, next: Release, now: number): boolean {
  const was = before === null ? null : outFrom(before, now);
  const is = outFrom(next, now);
  return is !== null && (was === null || is.from < was.from || is.until > was.until);
}

/** The period from `now` on in which a page is public, Unix ms; null: never. */
function outFrom(
  { published, status, publishAt, unpublishAt }: Release,
  now: number,
): { from: number; until: number } | null {
  const from = Math.max(publishAt ?? now, now);
  const until = unpublishAt ?? Number.POSITIVE_INFINITY;
  return published && status === "published" && from < until ? { from, until } : null;
}

/** The times at which the page appears or disappears; empty for a page that is not released. */
export function boundariesOf(entry: PageEntry): number[] {
  if (!entry.published || entry.status !== "published") return [];
  return [entry.publishAt, entry.unpublishAt].filter((time) => time !== null);
}
