import { cachedByLanguage } from "./locale-formats.js";

const formatOf = cachedByLanguage((locale) => new Intl.NumberFormat(locale));

/** Formats a number in a language: `1234.5` is `1,234.5` in English and `1.234,5` in German. */
export function formatNumber(value: number, lang = "en"): string {
  return formatOf(lang).format(value);
}
