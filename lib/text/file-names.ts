/** The parts of names of files and folders: order number, language and extension. */

/** The number before the first dot, and the rest. */
export interface OrderedName {
  /** Null for a name without an order. */
  readonly order: number | null;
  readonly rest: string;
}

const NUMBERED = /^(\d{1,9})\.(.+)$/s;
/** What follows the first dot of a version: `2.0`, `1.54.0-prerelease`, `2.0-rc.1`. */
const VERSION_REST =
  /^\d[\d.]*(?:-?(?:a|alpha|b|beta|rc|pre|prerelease|preview|dev|next|snapshot)[\d.-]*)?$/i;
/** `2.x` is a version, `02.x` is the second page. */
const VERSION_LINE = /^(?:0|[1-9]\d*)\.x$/i;
/** The extension of a page file, in the spellings that count as `md`, `mdx` and `tsx`. */
export const PAGE_EXTENSION = /\.(?:md|markdown|mdown|mkdn?|mdx|tsx)$/i;
const LANGUAGE = /\.[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/i;

/**
 * Splits `01.blog` into 1 and `blog`. A name that is a version (`5.1`, `2.0`, `1.54.0-prerelease`, `2.x`) has no
 * order: something other than digits and dots must follow the number.
 */
export function splitOrder(name: string): OrderedName {
  const match = NUMBERED.exec(name);
  const rest = match?.[2];
  if (rest === undefined || isVersion(name, rest)) return { order: null, rest: name };
  return { order: Number(match?.[1]), rest };
}

function isVersion(name: string, rest: string): boolean {
  if (!/[^\d.]/.test(rest)) return true;
  const isFile = PAGE_EXTENSION.test(rest);
  const stem = (whole: string): string =>
    isFile ? whole.replace(PAGE_EXTENSION, "").replace(LANGUAGE, "") : whole;
  return VERSION_REST.test(stem(rest)) || VERSION_LINE.test(stem(name));
}

/** The number of a name with its dot, as written: `01.`; empty without one. */
export function orderPrefix(name: string): string {
  const { order, rest } = splitOrder(name);
  return order === null ? "" : name.slice(0, name.length - rest.length);
}

/** A path without the order numbers of its folders and its last name. */
export function withoutOrders(path: string): string {
  return path
    .split("/")
    .map((name) => splitOrder(name).rest)
    .join("/");
}

/** A path without the extension after its last dot. */
export function withoutExtension(path: string): string {
  return path.replace(/\.[^./]*$/, "");
}

/** The stem of a page file with its folders: without extension and language, `a/b` for `a/b.de.md`. */
export function pageStem(path: string, lang: string): string {
  const stem = withoutExtension(path);
  const suffix = stem.slice(stem.lastIndexOf(".") + 1);
  const isLanguage = sameLanguage(suffix, lang) && suffix.length + 1 < stem.length;
  return isLanguage ? stem.slice(0, -suffix.length - 1) : stem;
}

/** True for two names of one file or address: systems store letters with accents in different forms. */
export function sameName(a: string, b: string): boolean {
  return a === b || a.normalize("NFC") === b.normalize("NFC");
}

/** True for two spellings of one language: `pt-BR`, `pt-br` and `pt_BR`. */
export function sameLanguage(a: string, b: string): boolean {
  return languageKey(a) === languageKey(b);
}

function languageKey(lang: string): string {
  return lang.toLowerCase().replaceAll("_", "-");
}
