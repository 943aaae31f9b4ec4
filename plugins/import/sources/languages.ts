/** Languages of a source that its folders name: `content/en` and `content/de` side by side. */
import { isIn } from "./files/folder-source.js";

/** A code of ISO 639-1, with a region or script: `de`, `pt-BR`, `zh_Hans`. */
const CODE = /^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i;
const NAMES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Folders of languages. */
export interface LanguageFolders {
  /** The main language first. */
  readonly codes: readonly string[];
  /** What the report says about the guess. */
  readonly note: string;
}

/**
 * The languages whose folders stand side by side in a folder of pages and share the path of at least one page; null
 * for none. `main`: the main language, if the configuration names it.
 */
export function guessLanguages(
  pages: readonly string[],
  folder: string,
  main: string | null,
): LanguageFolders | null {
  const below = pagesByFolder(pages, folder);
  const first = [main ?? "", "en", ...below.keys()].find((code) => below.has(code)) ?? "";
  const own = below.get(first) ?? new Set();
  const others = [...below].filter(
    ([code, paths]) => code !== first && [...paths].some((path) => own.has(path)),
  );
  if (others.length === 0) return null;
  const codes = [first, ...others.map(([code]) => code).sort()];
  const prefix = folder === "" ? "" : `${folder}/`;
  const names = codes.map((code) => `${prefix}${code}`).join(", ");
  return {
    codes,
    note: `the folders ${names} are taken for languages, as no configuration names them; ${JSON.stringify(first)} is the main one`,
  };
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
