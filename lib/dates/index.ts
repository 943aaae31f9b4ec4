/** Written dates as moments, in a time zone. Runs in Node.js and in browsers. */

/** Tells the time; tests freeze it. */
export interface Clock {
  /** Unix ms. */
  now(): number;
}

/** A date as written: in its own offset, or in the zone of the site without one. */
interface WrittenDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Null for a date without a time of day. */
  readonly time: WrittenTime | null;
  /** East of UTC in ms; null without an offset. */
  readonly offset: number | null;
}
/** A time of day. */
interface WrittenTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d+)?)?(?:\s*(?<half>[ap])\.?m\.?)?`;
const ZONE = String.raw`(?<zone>[+-]\d{2}(?::?\d{2})?|[A-Z]{1,4})`;
/** ISO 8601 and Jekyll's form: `2026-03-03T22:52Z`, `2026-03-03 22:52:00 -0800`; also `2026/3/3`. */
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?:(?:T|\s+)${TIME})?(?:\s*${ZONE})?$`,
  "i",
);
/** ISO 8601 in its basic form: `20260303T225200Z`. */
const BASIC = new RegExp(
  String.raw`^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})T(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?(?:\s*${ZONE})?$`,
  "i",
);
/** RFC 2822, section 3.3: `Tue, 03 Mar 2026 22:52:00 -0800`. */
const RFC = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?(?<day>\d{1,2})\s+(?<name>[a-z]{3,9})\s+(?<year>\d{4})(?:,?\s+${TIME})?(?:\s*${ZONE})?(?:\s*\([^()]*\))?$`,
  "i",
);
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Names of zones in RFC 2822, as hours east of UTC. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ["z", 0],
  ["ut", 0],
  ["utc", 0],
  ["gmt", 0],
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
]);
const HOUR_MS = 3_600_000;
/** No zone is further from UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS;
/** No form is longer, comment included. */
const MAX_LENGTH = 100;
const ZONE_NAME = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;

/**
 * A written date, with or without a time of day, in Unix ms; without an offset it is in `timezone`. Null
 * when invalid. Reads the forms of `readDate`.
 */
export function parseMoment(value: unknown, timezone: string): number | null {
  const date = readDate(value);
  if (date === null) return null;
  const { hour, minute, second } = date.time ?? { hour: 0, minute: 0, second: 0 };
  const utc = Date.UTC(date.year, date.month - 1, date.day, hour, minute, second);
  return utc - (date.offset ?? zoneOffset(utc, timezone));
}

/** Reads ISO 8601, RFC 2822 and Jekyll's form, with or without seconds and offset; null for anything else. */
export function readDate(value: unknown): WrittenDate | null {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return null;
  const text = value.trim();
  const groups = (ISO.exec(text) ?? BASIC.exec(text) ?? RFC.exec(text))?.groups;
  if (groups === undefined) return null;
  const [year, day] = [Number(groups["year"]), Number(groups["day"])];
  const month = groups["name"] === undefined ? Number(groups["month"]) : parseMonth(groups["name"]);
  const time = groups["hour"] === undefined ? null : parseTime(groups);
  const offset = groups["zone"] === undefined ? null : parseOffset(groups["zone"]);
  if (time === "invalid" || offset === "invalid" || !isCalendarDay(year, month, day)) return null;
  return { year, month, day, time, offset };
}

/** 1 to 12; 0 for a word that is no month. */
function parseMonth(name: string): number {
  const word = name.toLowerCase();
  return MONTHS.findIndex((month) => month === word || month.slice(0, 3) === word) + 1;
}

function parseTime(groups: Readonly<Record<string, string | undefined>>): WrittenTime | "invalid" {
  const half = groups["half"]?.toLowerCase();
  const [minute, second] = [Number(groups["minute"]), Number(groups["second"] ?? 0)];
  let hour = Number(groups["hour"]);
  if (half !== undefined && (hour < 1 || hour > 12)) return "invalid";
  if (half !== undefined) hour = (hour % 12) + (half === "p" ? 12 : 0);
  return hour > 23 || minute > 59 || second > 59 ? "invalid" : { hour, minute, second };
}

function parseOffset(zone: string): number | "invalid" {
  const named = ZONES.get(zone.toLowerCase());
  if (named !== undefined) return named * HOUR_MS;
  if (!/^[+-]/.test(zone)) return "invalid";
  const digits = zone.replace(/\D/g, "");
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  const size = hours * HOUR_MS + minutes * 60_000;
  if (minutes > 59 || size > MAX_OFFSET_MS) return "invalid";
  return zone.startsWith("-") ? -size : size;
}

/** The offset of the zone from UTC when its wall clock shows `wall`. */
function zoneOffset(wall: number, timezone: string): number {
  if (timezone === "UTC") return 0;
  // Twice, because the shifted time may have another offset.
  const first = findOffset(wall, timezone);
  return findOffset(wall - first, timezone);
}

/** The calendar day of a moment (Unix ms) in a time zone, as `YYYY-MM-DD`. */
export function zoneDay(time: number, timezone: string): string {
  return new Date(time + findOffset(time, timezone)).toISOString().slice(0, 10);
}

/** A moment (Unix ms) as the clock of a time zone shows it: `2026-06-01T22:30:00-04:00`. */
export function zoneMoment(time: number, timezone: string): string {
  const offset = findOffset(time, timezone);
  const minutes = Math.abs(offset) / 60_000;
  const [hour, minute] = [Math.floor(minutes / 60), Math.floor(minutes % 60)];
  const zone = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
  const clock = new Date(time + offset).toISOString().slice(0, 19);
  return `${clock}${offset < 0 ? "-" : "+"}${zone}`;
}

/** The offset of a zone from UTC at a moment, in ms. */
function findOffset(time: number, timezone: string): number {
  const match = ZONE_NAME.exec(ZoneClocks.of(timezone).format(time));
  if (match === null) return 0;
  const [hours, minutes, seconds] = [match[2], match[3], match[4]].map((part) => Number(part ?? 0));
  const size = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return (match[1] === "-" ? -1 : 1) * size * 1000;
}

/** Formatters for zone offsets such as `GMT+01:00`; cached, because they are slow to create. */
class ZoneClocks {
  static readonly #made = new Map<string, Intl.DateTimeFormat>();

  static of(timeZone: string): Intl.DateTimeFormat {
    const cached = this.#made.get(timeZone);
    if (cached !== undefined) return cached;
    const clock = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    this.#made.set(timeZone, clock);
    return clock;
  }
}

/** True for a day that exists in the calendar. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month >= 1 && month <= 12 && day >= 1 && day <= 28) return true;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
