import { directionOf } from "../theme/strings.js";

/** `lang` and `dir` of a text in another language than the document; none without a language. */
export function inLanguage(lang: string | undefined): { lang?: string; dir?: "ltr" | "rtl" } {
  return lang === undefined ? {} : { lang, dir: directionOf(lang) };
}
