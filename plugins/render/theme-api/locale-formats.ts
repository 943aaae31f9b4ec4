/** Maximum number of languages: those of a site, and some invalid ones. */
const MAX_LANGUAGES = 100;

/**
 * `Intl` formatters, cached by language, because creating one takes some thirty times as long as
 * using it. An invalid language gets English formatters.
 */
export function cachedByLanguage<F extends object>(
  make: (locale: string) => F,
): (lang: string) => F {
  const kept = new Map<string, F>();
  return (lang) => {
    const known = kept.get(lang);
    if (known !== undefined) return known;
    const made = make(localeOf(lang));
    if (kept.size >= MAX_LANGUAGES) kept.clear();
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
