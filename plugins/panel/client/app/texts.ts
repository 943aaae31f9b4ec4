import de from "../locales/de/app.json";
import en from "../locales/en/app.json";

/** Texts of the panel in the person's language. */

/** Languages with texts. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
/** A language of the panel. */
export type Language = keyof typeof LANGUAGES;

/** `{n|one page|{n} pages}` */
const PLURAL = /\{(\w+)\|([^|]*)\|((?:[^{}]|\{\w+\})*)\}/g;
const STORED = "sitewright.panel.language";
const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/;

/** Chosen once for the whole page: changing it loads the page again. */
export const language: Language = chosenLanguage();

/** Sets the language of the document; other scripts run from right to left. */
export function applyLanguage(): void {
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.test(language) ? "rtl" : "ltr";
}

/** Stores the language and loads the page again. */
export function setLanguage(next: string): void {
  localStorage.setItem(STORED, next);
  location.reload();
}

/** Values for `{name}` in a text. */
export type TextValues = Readonly<Record<string, string | number>>;
/** Looks up a text by its key. */
export type Texts<K extends string> = (key: K, values?: TextValues) => string;

/**
 * The texts of one part of the panel, the same keys in every language.
 *
 * A value `{n|one page|{n} pages}` takes the first form for 1 and the second for other numbers.
 * @example
 * const t = texts({ en, de });
 * t("pages.count", { n: 3 });
 */
export function texts<K extends string>(
  all: Readonly<Record<Language, Readonly<Record<K, string>>>>,
): Texts<K> {
  return createTexts(all[language]);
}

/** The texts of one part, of the language that is shown. */
export function createTexts<K extends string>(chosen: Readonly<Record<K, string>>): Texts<K> {
  return (key, values = {}) => fill(chosen[key], values);
}

function fill(text: string, values: TextValues): string {
  return text
    .replace(PLURAL, (...groups: string[]) => {
      const [, name = "", one = "", many = ""] = groups;
      return values[name] === 1 ? one : many;
    })
    .replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

function chosenLanguage(): Language {
  const preferred = [localStorage.getItem(STORED) ?? "", ...navigator.languages];
  for (const tag of preferred) {
    const [name = ""] = tag.toLowerCase().split("-");
    if (isLanguage(name)) return name;
  }
  return "en";
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

const names = new Intl.DisplayNames([language], { type: "language" });

/** A language in the words of the person; its code when there are none. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Texts of the shell and of parts that all screens share. */
export const t = texts({ en, de });
