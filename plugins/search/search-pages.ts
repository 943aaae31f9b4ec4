import type { LanguagesSection } from "../content/contract.js";
import type { SearchPlace } from "./contract.js";

/** Where the search page is: on a site in several languages each of them has one. */
export function searchPages(languages: LanguagesSection): readonly SearchPlace[] {
  const { supported, default: main, include_default_in_url: always } = languages;
  if (supported.length < 2) return [{ path: "/search", lang: null }];
  const prefixed = supported.filter((lang) => lang !== main || always);
  return [
    { path: "/search", lang: main },
    ...prefixed.map((lang) => ({ path: `/${lang}/search`, lang })),
  ];
}
