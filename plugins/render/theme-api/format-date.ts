import { parseMoment, readDate } from "#kernel/internal";
import { cachedByLanguage } from "./locale-formats.js";
import { openParts } from "./open-parts.js";

const inStyle = (dateStyle: "full" | "long" | "medium" | "short") =>
  cachedByLanguage((locale, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle, timeZone }));
const formats = {
  full: inStyle("full"),
  long: inStyle("long"),
  medium: inStyle("medium"),
  short: inStyle("short"),
};

/**
 * Formats a date in a language. A date without a time (`2026-05-01`) is that day; a moment (ISO 8601 or Unix ms) is
 * the day in the `timezone` of the site, while a template is rendered. Returns the value itself when it is not a date.
 */
export function formatDate(
  value: string | number | null | undefined,
  lang = "en",
  style: keyof typeof formats = "long",
): string {
  if (value === null || value === undefined || value === "") return "";
  const timeZone = openParts()?.timezone ?? "UTC";
  const isDay = readDate(value)?.time === null;
  const zone = isDay ? "UTC" : timeZone;
  const time = typeof value === "number" ? value : (parseMoment(value, zone) ?? Date.parse(value));
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(value);
  return formats[style](lang, zone).format(date);
}
