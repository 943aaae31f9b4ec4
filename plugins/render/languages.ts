import type { LanguagesSection } from "../content/contract.js";
import { encodePath } from "./url.js";

/** The language a path asks for by its first segment, else the default one. */
export function languageOf(path: string, languages: LanguagesSection): string {
  const first = path.split("/")[1] ?? "";
  return languages.supported.includes(first) ? first : languages.default;
}

/** Turns routes into addresses of a language. URLs, fragments and files stay as they are. */
export function hrefIn(lang: string, languages: LanguagesSection): (route: string) => string {
  const isPlain = lang === languages.default && !languages.include_default_in_url;
  const prefix = isPlain || languages.supported.length < 2 ? "" : `/${lang}`;
  return (route) => {
    if (!route.startsWith("/") || route.startsWith("//")) return route;
    return route === "/" ? prefix || "/" : encodePath(prefix + route);
  };
}
