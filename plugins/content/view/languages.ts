import { z } from "zod";
import type { ContentLanguages, LanguageParameters, LanguagesSection } from "../contract.js";

/** The languages of a site, and the query parameters that choose one: the same for every route. */
export class Languages implements ContentLanguages {
  readonly supported: readonly string[];
  readonly main: string;

  constructor({ supported, default: main }: LanguagesSection) {
    this.supported = supported;
    this.main = main;
  }

  parameters({ fallback }: { fallback: boolean }): LanguageParameters {
    const known = this.supported.join(", ");
    return {
      lang: z
        .enum(this.supported, { error: `not a language of this site, expected one of ${known}` })
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
