import { cachedByLanguage } from "./locale-formats.js";

const namesIn = cachedByLanguage((locale) => new Intl.DisplayNames(locale, { type: "language" }));

/** A language's own name: `Deutsch` for `de`; the value itself when it is invalid. */
export function languageName(lang: string): string {
  try {
    return namesIn(lang).of(lang) ?? lang;
  } catch {
    return lang;
  }
}
