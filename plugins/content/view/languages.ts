/** The languages of a site, and the language of a list. */
import { z } from "zod";
import type {
  ContentLanguages,
  LanguageParameterDefaults,
  LanguageParameters,
  LanguagesSection,
  LanguageChoice,
} from "../contract.js";

/** The languages of a site, and the query parameters that choose one: the same for every route. */
export class Languages implements ContentLanguages {
  readonly supported: readonly string[];
  readonly main: string;

  constructor({ supported, default: main }: LanguagesSection) {
    this.supported = supported;
    this.main = main;
  }

  parameters({ fallback }: LanguageParameterDefaults): LanguageParameters {
    const supported = this.supported.join(", ");
    return {
      lang: z
        .enum(this.supported, {
          error: `not a language of this site, expected one of ${supported}`,
        })
        .optional()
        .describe("Language code"),
      fallback: z
        .enum(["0", "1"], { error: "expected 0 or 1" })
        .default(fallback ? "1" : "0")
        .transform((value) => value === "1")
        .describe("1: pages of the default language stand in for missing translations; 0: not"),
    };
  }
}

/** A choice with all defaults applied. */
export interface ListLanguage {
  readonly lang: string;
  /** True: pages of the default language replace missing translations. */
  readonly fallback: boolean;
}

/** The defaults of a list. */
interface LanguageDefaults {
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
