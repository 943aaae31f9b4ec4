/** The language of a list: the pages written in it, or these and the ones that stand in for missing translations. */
import type { LanguageChoice } from "./contract.js";

/** A choice with nothing left open. */
export interface ListLanguage {
  readonly lang: string;
  /** True: pages of the default language stand in for translations that are missing. */
  readonly fallback: boolean;
}

/** What a list uses where the caller leaves it open. */
export interface LanguageDefaults {
  readonly lang: string;
  readonly fallback: boolean;
}

/** The language that a choice means. A language alone leaves `fallback` to the defaults. */
export function toListLanguage(
  choice: LanguageChoice | undefined,
  defaults: LanguageDefaults,
): ListLanguage {
  const { lang = defaults.lang, fallback = defaults.fallback } =
    typeof choice === "string" ? { lang: choice } : (choice ?? {});
  return { lang, fallback };
}

/** Lists of equal keys are the same list. */
export function languageKey({ lang, fallback }: ListLanguage): string {
  return fallback ? `${lang}+` : lang;
}
