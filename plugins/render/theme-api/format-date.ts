import { cachedByLanguage } from "./locale-formats.js";

const inStyle = (dateStyle: "full" | "long" | "medium" | "short") =>
  cachedByLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle, timeZone: "UTC" }));
const formats = {
  full: inStyle("full"),
  long: inStyle("long"),
  medium: inStyle("medium"),
  short: inStyle("short"),
};

/**
 * Formats a date (`YYYY-MM-DD`, ISO 8601 or Unix ms) in a language. Uses UTC, so that the day does
 * not change. Returns the value itself when it is not a date.
 */
export function formatDate(
  value: string | number | null | undefined,
  lang = "en",
  style: keyof typeof formats = "long",
): string {
  if (value === null || value === undefined || value === "") return "";
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return String(value);
  return formats[style](lang).format(date);
}
