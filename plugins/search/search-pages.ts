import type { ContentAddresses, LanguagesSection } from "../content/contract.js";
import type { SearchPlace } from "./contract.js";

/** Where the search page is: on a site in several languages each of them has one. */
export function searchPages(
  { supported, default: main }: LanguagesSection,
  addresses: Pick<ContentAddresses, "prefixOf">,
): readonly SearchPlace[] {
  if (supported.length < 2) return [{ path: "/search", lang: null }];
  const prefixed = supported.filter((lang) => addresses.prefixOf(lang) !== "");
  return [
    { path: "/search", lang: main },
    ...prefixed.map((lang) => ({ path: `${addresses.prefixOf(lang)}/search`, lang })),
  ];
}
