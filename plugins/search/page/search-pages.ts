import type { ContentAddresses, LanguagesSection } from "../../content/contract.js";
import type { SearchRoute } from "../contract.js";

/** Address of the search page; a multilingual site has one per language. */
export function searchPages(
  { supported, default: main }: LanguagesSection,
  addresses: Pick<ContentAddresses, "prefixOf">,
): readonly SearchRoute[] {
  if (supported.length < 2) return [{ path: "/search", lang: null }];
  const prefixed = supported.filter((lang) => addresses.prefixOf(lang) !== "");
  return [
    { path: "/search", lang: main },
    ...prefixed.map((lang) => ({ path: `${addresses.prefixOf(lang)}/search`, lang })),
  ];
}
