import type { LanguagesSection } from "../content/contract.js";
import { encodePath } from "./url.js";

/** The language a path asks for by its first segment, else the default one. */
export function languageOf(path: string, languages: LanguagesSection): string {
  const first = path.split("/")[1] ?? "";
  return languages.supported.includes(first) ? first : languages.default;
}

/** Turns routes into addresses below a language's prefix. URLs, fragments and files stay as they are. */
export function hrefBelow(prefix: string): (route: string) => string {
  return (route) => {
    if (!route.startsWith("/") || route.startsWith("//")) return route;
    return route === "/" ? prefix || "/" : encodePath(prefix + route);
  };
}
