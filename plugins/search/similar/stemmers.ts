/** Stemmers of the package by language code. */
const STEMMERS: Readonly<Record<string, () => Promise<{ stemmer(word: string): string }>>> = {
  ar: () => import("@orama/stemmers/arabic"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  hu: () => import("@orama/stemmers/hungarian"),
  it: () => import("@orama/stemmers/italian"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sv: () => import("@orama/stemmers/swedish"),
  tr: () => import("@orama/stemmers/turkish"),
};

/** The stemmer of a language (`de`, `de-AT`); null for one without. */
export async function stemmerOf(lang: string): Promise<((word: string) => string) | null> {
  const [code = ""] = lang.toLowerCase().split("-");
  const load = Object.hasOwn(STEMMERS, code) ? STEMMERS[code] : undefined;
  return load === undefined ? null : (await load()).stemmer;
}
