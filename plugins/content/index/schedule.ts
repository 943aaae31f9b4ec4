/** Times of front matter, and when a page is public. */
import type { PageEntry } from "../contract.js";

const moment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const zoneName = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;
const looseDate = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T ])/;

/** A front matter date as YYYY-MM-DD; null when it is not a calendar date. */
export function parseDate(value: unknown): string | null {
  const match = typeof value === "string" ? looseDate.exec(value.trim()) : null;
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (!isCalendarDay(year, month, day)) return null;
  return `${match[1]}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** True for a date with a time of day. */
export function hasTime(date: string): boolean {
  return /[T ]\d{2}:\d{2}/.test(date);
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month >= 1 && month <= 12 && day >= 1 && day <= 28) return true;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A front matter time in Unix ms; without an offset it is in `timezone`. Null when invalid. */
export function parseMoment(value: unknown, timezone: string): number | null {
  const match = typeof value === "string" ? moment.exec(value.trim()) : null;
  if (match === null) return null;
  const part = (at: number): number => Number(match[at] ?? 0);
  if (!isCalendarDay(part(1), part(2), part(3))) return null;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59) return null;
  const utc = Date.UTC(part(1), part(2) - 1, part(3), part(4), part(5), part(6));
  const offset = match[7];
  return utc - (offset === undefined ? zoneOffset(utc, timezone) : fixedOffset(offset));
}

function fixedOffset(text: string): number {
  if (text === "Z") return 0;
  const sign = text.startsWith("-") ? -1 : 1;
  const digits = text.replace(/\D/g, "");
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}

/** The offset of the zone from UTC when its wall clock shows `wall`. */
function zoneOffset(wall: number, timezone: string): number {
  if (timezone === "UTC") return 0;
  // Twice, because the shifted time may have another offset.
  const first = offsetAt(wall, timezone);
  return offsetAt(wall - first, timezone);
}

/** The offset of a zone from UTC at a moment, in ms. */
function offsetAt(time: number, timezone: string): number {
  const match = zoneName.exec(ZoneClocks.of(timezone).format(time));
  if (match === null) return 0;
  const [hours, minutes, seconds] = [match[2], match[3], match[4]].map((part) => Number(part ?? 0));
  const size = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return (match[1] === "-" ? -1 : 1) * size * 1000;
}

/** Formatters for zone offsets such as `GMT+01:00`; cached, because they are slow to create. */
class ZoneClocks {
  static readonly #made = new Map<string, Intl.DateTimeFormat>();

  static of(timeZone: string): Intl.DateTimeFormat {
    const known = this.#made.get(timeZone);
    if (known !== undefined) return known;
    const clock = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    this.#made.set(timeZone, clock);
    return clock;
  }
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
