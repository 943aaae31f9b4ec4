import type { LanguagesSection } from "../../content/contract.js";
import { encodePath } from "../page/url.js";

/** The language in the first segment of a path, else the default one. */
export function languageOf(path: string, languages: LanguagesSection): string {
  const first = path.split("/")[1] ?? "";
  return languages.supported.includes(first) ? first : languages.default;
}

/** Adds the prefix of a language, by default `own`, to routes; URLs, fragments and files stay unchanged. */
export function hrefBelow(
  own: string,
  prefixOf: (lang: string) => string,
): (route: string, lang?: string) => string {
  const ownPrefix = prefixOf(own);
  return (route, lang) => {
    if (!route.startsWith("/") || route.startsWith("//")) return route;
    const prefix = lang === undefined ? ownPrefix : prefixOf(lang);
    return route === "/" ? prefix || "/" : encodePath(prefix + route);
  };
}
