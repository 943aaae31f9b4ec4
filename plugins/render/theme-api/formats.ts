import { parseMoment, readDate } from "#lib/dates";
import { currentDrawing } from "./drawing.js";

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
  const timeZone = currentDrawing()?.timezone ?? "UTC";
  const isDay = readDate(value)?.time === null;
  const zone = isDay ? "UTC" : timeZone;
  const time = typeof value === "number" ? value : (parseMoment(value, zone) ?? Date.parse(value));
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(value);
  return formats[style](lang, zone).format(date);
}

/** Maximum number of languages: those of a site, and some invalid ones. */
const MAX_LANGUAGES = 100;

/**
 * `Intl` formatters, cached by language and time zone, because creating one takes some thirty times as long as
 * using it. An invalid language gets English formatters.
 */
export function cachedByLanguage<F extends object>(
  make: (locale: string, timeZone: string) => F,
): (lang: string, timeZone?: string) => F {
  const formatters = new Map<string, F>();
  return (lang, timeZone = "UTC") => {
    const key = `${lang} ${timeZone}`;
    const cached = formatters.get(key);
    if (cached !== undefined) return cached;
    const formatter = make(toLocale(lang), timeZone);
    if (formatters.size >= MAX_LANGUAGES) formatters.clear();
    formatters.set(key, formatter);
    return formatter;
  };
}

function toLocale(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? "en";
  } catch {
    return "en";
  }
}

const formatOf = cachedByLanguage((locale) => new Intl.NumberFormat(locale));

/** Formats a number in a language: `1234.5` is `1,234.5` in English and `1.234,5` in German. */
export function formatNumber(value: number, lang = "en"): string {
  return formatOf(lang).format(value);
}

const namesIn = cachedByLanguage((locale) => new Intl.DisplayNames(locale, { type: "language" }));

/** The name of a language in `within`, by default its own: `Deutsch` for `de`; the value itself when it is invalid. */
export function languageName(lang: string, within: string = lang): string {
  try {
    return namesIn(within).of(lang) ?? lang;
  } catch {
    return lang;
  }
}
