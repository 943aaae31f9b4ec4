import { cachedByLanguage } from "./locale-formats.js";

const namesIn = cachedByLanguage((locale) => new Intl.DisplayNames(locale, { type: "language" }));

/** The name of a language in `within`, by default its own: `Deutsch` for `de`; the value itself when it is invalid. */
export function languageName(lang: string, within: string = lang): string {
  try {
    return namesIn(within).of(lang) ?? lang;
  } catch {
    return lang;
  }
}
