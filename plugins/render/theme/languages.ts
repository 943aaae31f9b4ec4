import type { LanguagesSection } from "../../content/contract.js";
import { encodePath } from "../page/url.js";

/** The language in the first segment of a path, else the default one. */
export function languageOf(path: string, languages: LanguagesSection): string {
  const first = path.split("/")[1] ?? "";
  return languages.supported.includes(first) ? first : languages.default;
}

/** Adds a language's prefix to routes; URLs, fragments and files stay unchanged. */
export function hrefBelow(prefix: string): (route: string) => string {
  return (route) => {
    if (!route.startsWith("/") || route.startsWith("//")) return route;
    return route === "/" ? prefix || "/" : encodePath(prefix + route);
  };
}
