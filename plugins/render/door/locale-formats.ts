/** Languages of a site, with room for what is tried. */
const mostLanguages = 100;

/**
 * Formatters of `Intl` by language, kept: to make one takes some thirty times as long as to use it.
 * A language that is none gets English ones.
 */
export function keptByLanguage<F extends object>(make: (locale: string) => F): (lang: string) => F {
  const kept = new Map<string, F>();
  return (lang) => {
    const known = kept.get(lang);
    if (known !== undefined) return known;
    const made = make(localeOf(lang));
    if (kept.size >= mostLanguages) kept.clear();
    kept.set(lang, made);
    return made;
  };
}

function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? "en";
  } catch {
    return "en";
  }
}
