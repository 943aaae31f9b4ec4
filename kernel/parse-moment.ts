/** Written dates and times as moments. */

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const ZONE_NAME = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;

/**
 * A written date, with or without a time of day, in Unix ms; without an offset it is in `timezone`. Null
 * when invalid.
 */
export function parseMoment(value: unknown, timezone: string): number | null {
  const match = typeof value === "string" ? MOMENT.exec(value.trim()) : null;
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

/** The calendar day of a moment (Unix ms) in a time zone, as `YYYY-MM-DD`. */
export function zoneDay(time: number, timezone: string): string {
  return new Date(time + offsetAt(time, timezone)).toISOString().slice(0, 10);
}

/** The offset of a zone from UTC at a moment, in ms. */
function offsetAt(time: number, timezone: string): number {
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
    const known = this.#made.get(timeZone);
    if (known !== undefined) return known;
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
