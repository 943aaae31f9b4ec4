/** Times of front matter, and when a page is public. */
import type { PageEntry } from "./contract.js";

const moment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const zoneName = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;
const looseDate = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T ])/;

/** A date of front matter as YYYY-MM-DD; null when it is none of the calendar. */
export function parseDate(value: unknown): string | null {
  const match = typeof value === "string" ? looseDate.exec(value.trim()) : null;
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (!isCalendarDay(year, month, day)) return null;
  return `${match[1]}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** True for a date that is written with a time of day. */
export function hasTime(date: string): boolean {
  return /[T ]\d{2}:\d{2}/.test(date);
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month >= 1 && month <= 12 && day >= 1 && day <= 28) return true;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A moment of front matter in Unix ms; without an offset it is read in `timezone`. Null: not a moment. */
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

/** How far the zone's wall clock is ahead of UTC when it shows `wall`. */
function zoneOffset(wall: number, timezone: string): number {
  if (timezone === "UTC") return 0;
  // Twice, because the offset that counts is the one after the shift.
  const first = offsetAt(wall, timezone);
  return offsetAt(wall - first, timezone);
}

/** How far a zone is ahead of UTC at a moment, in ms. */
function offsetAt(time: number, timezone: string): number {
  const match = zoneName.exec(ZoneClocks.of(timezone).format(time));
  if (match === null) return 0;
  const [hours, minutes, seconds] = [match[2], match[3], match[4]].map((part) => Number(part ?? 0));
  const size = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return (match[1] === "-" ? -1 : 1) * size * 1000;
}

/** Clocks that tell their zone's offset, like `GMT+01:00`; kept, because each takes long to make. */
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

/** What decides when a page is out. */
export type Release = Pick<PageEntry, "published" | "status" | "publishAt" | "unpublishAt">;

/** True when the page is released at `now`, whoever asks. */
export function isReleased(entry: Release, now: number): boolean {
  if (!entry.published || entry.status !== "published") return false;
  if (entry.publishAt !== null && now < entry.publishAt) return false;
  return entry.unpublishAt === null || now < entry.unpublishAt;
}

/** True when a page is out with `next` at some time from `now` on at which it is not with `before`. */
export function bringsOut(before: Release | null, next: Release, now: number): boolean {
  const was = before === null ? null : outFrom(before, now);
  const is = outFrom(next, now);
  return is !== null && (was === null || is.from < was.from || is.until > was.until);
}

/** When a page is out, from `now` on, Unix ms; null: never. */
function outFrom(
  { published, status, publishAt, unpublishAt }: Release,
  now: number,
): { from: number; until: number } | null {
  const from = Math.max(publishAt ?? now, now);
  const until = unpublishAt ?? Number.POSITIVE_INFINITY;
  return published && status === "published" && from < until ? { from, until } : null;
}

/** The moments at which the page appears or disappears; none for a page that is not released at all. */
export function boundariesOf(entry: PageEntry): number[] {
  if (!entry.published || entry.status !== "published") return [];
  return [entry.publishAt, entry.unpublishAt].filter((time) => time !== null);
}
