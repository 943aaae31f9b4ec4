/**
 * A date (`YYYY-MM-DD`, ISO 8601 or Unix ms) in the words of a language, in UTC so that a day stays
 * the day it was written as; the value itself when it is no date.
 */
export function formatDate(
  value: string | number | null | undefined,
  lang = "en",
  style: "full" | "long" | "medium" | "short" = "long",
): string {
  if (value === null || value === undefined || value === "") return "";
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return String(value);
  const format = new Intl.DateTimeFormat(localeOf(lang), { dateStyle: style, timeZone: "UTC" });
  return format.format(date);
}

function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? "en";
  } catch {
    return "en";
  }
}
