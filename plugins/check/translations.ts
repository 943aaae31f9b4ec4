/** Translations of pages, and whether they are up to date. */
import { pageStem } from "#lib/text";
import type { LanguagesSection, PageEntry } from "../content/contract.js";
import type { PageTranslation, PageTranslations } from "./contract.js";

/** Front matter key of a translation: the version it was made from. */
export const TRANSLATED_FROM = "translated_from";

/** One page in one language other than the default. */
export interface Translation {
  /**
   * `missing`: the file does not exist. `outdated`: the page is newer than its translation. `extra`: a
   * translation without a page in the default language.
   */
  state: "translated" | "missing" | "outdated" | "extra";
  lang: string;
  /** Path of the page in the default language; of the translation when that is missing. */
  sourcePath: string;
  /** Path of the translation; null when it is missing. */
  translation: string | null;
}

/** Every page in every other language, in tree order. */
export function translationsOf(
  entries: readonly PageEntry[],
  languages: LanguagesSection,
): Translation[] {
  const pages = new Map<string, Map<string, PageEntry>>();
  for (const entry of entries) {
    // The same for all files of a page.
    const key = pageStem(entry.sourcePath, entry.lang);
    const group = pages.get(key) ?? new Map<string, PageEntry>();
    pages.set(key, group.set(entry.lang, entry));
  }
  const others = languages.supported.filter((lang) => lang !== languages.default);
  return [...pages.values()].flatMap((group) =>
    others.flatMap((lang) => rowOf(group.get(languages.default), group.get(lang), lang)),
  );
}

/** A page in every language of the site, the default language first. */
export function translationsOfPage(
  entries: readonly PageEntry[],
  page: PageEntry,
  { supported, default: main }: LanguagesSection,
): PageTranslations {
  const key = pageStem(page.sourcePath, page.lang);
  const group = new Map(
    entries
      .filter(
        ({ folder, sourcePath, lang }) =>
          folder === page.folder && pageStem(sourcePath, lang) === key,
      )
      .map((entry) => [entry.lang, entry]),
  );
  const original = group.get(main);
  const pathIn = (lang: string): string =>
    `${key}${lang === main ? "" : `.${lang}`}.${page.format}`;
  const others = supported.filter((lang) => lang !== main);
  const items = [main, ...others].map((lang): PageTranslation => {
    const found = group.get(lang);
    const { sourcePath = pathIn(lang), title = null, status = null } = found ?? {};
    return { lang, state: stateOf(original, found), sourcePath, title, status };
  });
  // A program has no languages.
  const known = page.format === "tsx" ? [] : items;
  return {
    lang: page.lang,
    stamp: original === undefined ? null : stampOf(original),
    items: known,
  };
}

function stateOf(
  original: PageEntry | undefined,
  found: PageEntry | undefined,
): PageTranslation["state"] {
  if (found === undefined) return "missing";
  if (found === original) return "original";
  return original !== undefined && isOutdated(original, found) ? "outdated" : "translated";
}

/** The value of `translated_from` for an up-to-date translation. */
export function stampOf(page: PageEntry): string {
  return page.hash.slice(0, 12);
}

// oxlint-disable-next-line max-params -- a page, its translation, and the language of both
function rowOf(
  page: PageEntry | undefined,
  translation: PageEntry | undefined,
  lang: string,
): Translation[] {
  if (page === undefined) {
    if (translation === undefined) return [];
    const { sourcePath } = translation;
    return [{ state: "extra", lang, sourcePath, translation: sourcePath }];
  }
  const { sourcePath } = page;
  if (translation === undefined) return [{ state: "missing", lang, sourcePath, translation: null }];
  const state = isOutdated(page, translation) ? "outdated" : "translated";
  return [{ state, lang, sourcePath, translation: translation.sourcePath }];
}

/** By the stamp, if any; else by file times, which are equal in a clone. */
function isOutdated(page: PageEntry, translation: PageEntry): boolean {
  const stamp = translation.frontmatter[TRANSLATED_FROM];
  if (typeof stamp === "string" && stamp !== "") return stamp !== stampOf(page);
  return page.mtimeMs > translation.mtimeMs + 1_000;
}
