import { directionOf } from "../theme/strings.js";

/**
 * An address that an author wrote, in the language of the page: `href` of the template's props encodes its
 * path; query and fragment stay as they are.
 */
export function addressIn(href: (route: string) => string, url: string): string {
  const at = url.search(/[?#]/);
  return at === -1 ? href(url) : href(url.slice(0, at)) + url.slice(at);
}

/** Address of the search page for a query. */
export function getSearchUrl(query: string, base = "/search"): string {
  return `${base}?q=${encodeURIComponent(query)}`;
}

/** `lang` and `dir` of a text in another language than the document; none without a language. */
export function inLanguage(lang: string | undefined): { lang?: string; dir?: "ltr" | "rtl" } {
  return lang === undefined ? {} : { lang, dir: directionOf(lang) };
}

/** Joins class names; false, null and empty values are dropped. Undefined when nothing remains. */
export function cx(...names: (string | false | null | undefined)[]): string | undefined {
  const kept = names.filter((name) => typeof name === "string" && name !== "");
  return kept.length === 0 ? undefined : kept.join(" ");
}
