/** Maximum number of languages: those of a site, and some invalid ones. */
const MAX_LANGUAGES = 100;

/**
 * `Intl` formatters, cached by language and time zone, because creating one takes some thirty times as long as
 * using it. An invalid language gets English formatters.
 */
export function cachedByLanguage<F extends object>(
  make: (locale: string, timeZone: string) => F,
): (lang: string, timeZone?: string) => F {
  const kept = new Map<string, F>();
  return (lang, timeZone = "UTC") => {
    const key = `${lang} ${timeZone}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(localeOf(lang), timeZone);
    if (kept.size >= MAX_LANGUAGES) kept.clear();
    kept.set(key, made);
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
