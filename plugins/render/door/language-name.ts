import { keptByLanguage } from "./locale-formats.js";

const namesIn = keptByLanguage((locale) => new Intl.DisplayNames(locale, { type: "language" }));

/** A language as those who read it call it: `Deutsch` for `de`; the value itself when it is none. */
export function languageName(lang: string): string {
  try {
    return namesIn(lang).of(lang) ?? lang;
  } catch {
    return lang;
  }
}
