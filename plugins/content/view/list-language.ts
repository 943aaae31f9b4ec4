/** The language of a list, with or without pages that replace missing translations. */
import type { LanguageChoice } from "../contract.js";

/** A choice with all defaults applied. */
export interface ListLanguage {
  readonly lang: string;
  /** True: pages of the default language replace missing translations. */
  readonly fallback: boolean;
}

/** The defaults of a list. */
export interface LanguageDefaults {
  readonly lang: string;
  readonly fallback: boolean;
}

/** Resolves a choice. A language without `fallback` uses the default. */
export function toListLanguage(
  choice: LanguageChoice | undefined,
  defaults: LanguageDefaults,
): ListLanguage {
  const { lang = defaults.lang, fallback = defaults.fallback } =
    typeof choice === "string" ? { lang: choice } : (choice ?? {});
  return { lang, fallback };
}

/** The cache key: equal keys mean the same list. */
export function languageKey({ lang, fallback }: ListLanguage): string {
  return fallback ? `${lang}+` : lang;
}
