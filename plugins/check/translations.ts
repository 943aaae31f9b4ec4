/** Translations of pages, and whether they are up to date. */
import { pageStem } from "#lib/text";
import { type Command, optionError, type Output, type SiteContext } from "#kernel";
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
export function listTranslations(
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
    others.flatMap((lang) => toRow(group.get(languages.default), group.get(lang), lang)),
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
  const toPath = (lang: string): string =>
    `${key}${lang === main ? "" : `.${lang}`}.${page.format}`;
  const others = supported.filter((lang) => lang !== main);
  const items = [main, ...others].map((lang): PageTranslation => {
    const translation = group.get(lang);
    const { sourcePath = toPath(lang), title = null, status = null } = translation ?? {};
    return { lang, state: findState(original, translation), sourcePath, title, status };
  });
  // A program has no languages.
  const listed = page.format === "tsx" ? [] : items;
  return {
    lang: page.lang,
    stamp: original === undefined ? null : toStamp(original),
    items: listed,
  };
}

function findState(
  original: PageEntry | undefined,
  entry: PageEntry | undefined,
): PageTranslation["state"] {
  if (entry === undefined) return "missing";
  if (entry === original) return "original";
  return original !== undefined && isOutdated(original, entry) ? "outdated" : "translated";
}

/** The value of `translated_from` for an up-to-date translation. */
export function toStamp(page: PageEntry): string {
  return page.hash.slice(0, 12);
}

function toRow(
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

/** By the stamp, if any; else by file times that differ by more than `toleranceMs`, which are equal in a clone. */
export function isOutdated(page: PageEntry, translation: PageEntry, toleranceMs = 1_000): boolean {
  const stamp = translation.frontmatter[TRANSLATED_FROM];
  if (typeof stamp === "string" && stamp !== "") return stamp !== toStamp(page);
  return page.mtimeMs > translation.mtimeMs + toleranceMs;
}

/** `i18n:status`: missing and outdated translations. */
export function translationStatusCommand(): Command {
  return {
    name: "i18n:status",
    summary: "report missing and outdated translations of pages and of the theme's strings",
    options: [
      ["--lang <code>", "only this language"],
      ["--json", "print JSON"],
    ],
    async run({ site: open, out, options }) {
      const site = await open();
      const { languages } = site.settings.system;
      const only = options["lang"];
      if (only !== undefined && !languages.supported.includes(String(only))) {
        throw optionError(`the site has no language ${JSON.stringify(only)}`, {
          fix: `use one of ${languages.supported.join(", ")}`,
        });
      }
      const isAsked = (lang: string): boolean => only === undefined || lang === only;
      const pages = listRows(site).filter(({ lang }) => isAsked(lang));
      const strings = missingStrings(site).filter(({ lang }) => isAsked(lang));
      const unfinished = pages.filter(({ state }) => state !== "translated");
      if (options["json"] === true)
        out.json({ languages: summary(pages), pages: unfinished, strings });
      else print(out, pages, strings);
      return unfinished.length + strings.length > 0 ? 1 : 0;
    },
  };
}

/** `i18n:stamp`: records which version of the text translations were made from. */
export function stampTranslationsCommand(): Command {
  return {
    name: "i18n:stamp",
    summary: "mark translations as up to date with the current text",
    arguments: "[path...]",
    options: [["--all", "every translation that is not outdated"]],
    async run({ site: open, out, args, options }) {
      const site = await open();
      const rows = listRows(site);
      const chosen = rows.filter(({ state, translation }) =>
        options["all"] === true
          ? state === "translated"
          : translation !== null && args.map(withoutRoot).includes(translation),
      );
      if (chosen.length === 0) {
        const problem =
          args.length === 0
            ? "no translation is named"
            : `no translation of a page is at ${args.join(", ")}`;
        throw optionError(problem, {
          fix: "pass the paths of translations below content/, or --all",
        });
      }
      return stamp(site, chosen, out);
    },
  };
}

async function stamp(
  site: SiteContext,
  rows: readonly Translation[],
  out: Output,
): Promise<number> {
  const content = site.use("content");
  const { bySource } = content.generation();
  const pages = rows.flatMap(({ sourcePath, translation }): [string, PageEntry][] => {
    const page = bySource.get(sourcePath);
    return page === undefined || translation === null ? [] : [[translation, page]];
  });
  const results = await content.apply(
    pages.map(([path, page]) => ({
      op: "frontmatter" as const,
      path,
      patch: { [TRANSLATED_FROM]: toStamp(page) },
    })),
    { validate: false },
  );
  const failed = results.filter(({ status }) => status === "error");
  for (const { path, errors } of failed) out.error(`${path}  ${errors.join("; ")}`);
  out.line(`${results.length - failed.length} stamped`);
  return failed.length > 0 ? 1 : 0;
}

function withoutRoot(path: string): string {
  return path.replace(/^(?:\.\/)?content\//, "");
}

function listRows(site: SiteContext): Translation[] {
  const { entries } = site.use("content").generation();
  return listTranslations(entries, site.settings.system.languages);
}

interface MissingStrings {
  lang: string;
  keys: readonly string[];
}

/** Strings of the theme without a translation; they are shown in English. */
function missingStrings(site: SiteContext): MissingStrings[] {
  const render = site.use("render", { optional: true });
  return site.settings.system.languages.supported
    .map((lang) => ({ lang, keys: render?.missingStrings(lang) ?? [] }))
    .filter(({ keys }) => keys.length > 0);
}

/** Counts per language. */
function summary(pages: readonly Translation[]) {
  const counts = new Map<string, Record<Translation["state"], number>>();
  for (const { lang, state } of pages) {
    const row = counts.get(lang) ?? { translated: 0, missing: 0, outdated: 0, extra: 0 };
    row[state] += 1;
    counts.set(lang, row);
  }
  return [...counts].map(([lang, row]) => ({ lang, ...row }));
}

function print(
  out: Output,
  pages: readonly Translation[],
  strings: readonly MissingStrings[],
): void {
  for (const { state, lang, sourcePath, translation } of pages) {
    if (state !== "translated") out.line(`${lang}  ${state}  ${translation ?? sourcePath}`);
  }
  for (const { lang, keys } of strings)
    out.line(`${lang}  strings of the theme  ${keys.join(", ")}`);
  const rows = summary(pages);
  if (rows.length === 0) out.line("the site has only one language, or no pages");
  for (const { lang, translated, missing, outdated, extra } of rows) {
    const all = translated + missing + outdated;
    const more = extra > 0 ? `, ${extra} without an original` : "";
    out.line(`${lang}: ${translated} of ${all} translated, ${outdated} outdated${more}`);
  }
}
