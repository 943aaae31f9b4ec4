/** Languages of a source that its folders name: `content/en` and `content/de` side by side. */
import type { NotImported } from "../contract.js";
import { isIn } from "./files/folder-source.js";

/** A code of ISO 639-1, with a region or script: `de`, `pt-BR`, `zh_Hans`. */
const CODE = /^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i;
const NAMES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Folders of languages. */
export interface LanguageFolders {
  /** The main language first. */
  readonly codes: readonly string[];
  /** What the report says about the guess; empty when the configuration names the languages. */
  readonly notes: readonly NotImported[];
}

/**
 * The languages whose folders stand side by side in a folder of pages and share the path of at least one page; no
 * codes without such. `main`: the main language, if the configuration names it.
 */
export function guessLanguages(
  pages: readonly string[],
  folder: string,
  main: string | null,
): LanguageFolders {
  const below = pagesByFolder(pages, folder);
  const first = [main ?? "", "en", ...below.keys()].find((code) => below.has(code)) ?? "";
  const own = below.get(first) ?? new Set();
  const others = [...below].filter(
    ([code, paths]) => code !== first && [...paths].some((path) => own.has(path)),
  );
  if (others.length === 0) return { codes: [], notes: [] };
  const codes = [first, ...others.map(([code]) => code).sort()];
  const prefix = folder === "" ? "" : `${folder}/`;
  const names = codes.map((code) => `${prefix}${code}`).join(", ");
  const reason = `the folders ${names} are taken for languages, as no configuration names them; ${JSON.stringify(first)} is the main one`;
  return { codes, notes: [{ kind: "notImported", origin: { file: folder }, reason }] };
}

/** A language, and its folder below the pages; empty for one at the top. */
export interface Locale {
  readonly code: string;
  readonly folder: string;
}

/** The languages of the configuration; null, where it has none: those that folders side by side name. */
export function localesOf(
  configured: readonly Locale[] | null,
  pages: readonly string[],
  folder: string,
): { readonly locales: readonly Locale[]; readonly notes: readonly NotImported[] } {
  if (configured !== null) return { locales: configured, notes: [] };
  const { codes, notes } = guessLanguages(pages, folder, null);
  return { locales: codes.map((code) => ({ code, folder: code })), notes };
}

/** The paths of pages below each folder that is named like a language. */
function pagesByFolder(pages: readonly string[], folder: string): Map<string, Set<string>> {
  const below = new Map<string, Set<string>>();
  for (const page of pages) {
    if (folder !== "" && !isIn(page, folder)) continue;
    const [code = "", ...rest] = (folder === "" ? page : page.slice(folder.length + 1)).split("/");
    if (rest.length === 0 || !isLanguage(code)) continue;
    const paths = below.get(code) ?? new Set();
    below.set(code, paths.add(rest.join("/")));
  }
  return below;
}

/** True for the code of a language that has a name. */
function isLanguage(code: string): boolean {
  if (!CODE.test(code)) return false;
  try {
    return NAMES.of(code.slice(0, 2).toLowerCase()) !== undefined;
  } catch {
    return false;
  }
}
