import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "#kernel";

/** Flat keys (`nav.label`) to strings. */
type Strings = ReadonlyMap<string, string>;

const FALLBACK = "en";
const RIGHT_TO_LEFT = new Set(
  "ar arc ckb dv fa ha he khw ks nqo pnb ps sd syr ug ur uz-AF yi".split(" "),
);

/** Text direction of a language. */
export function textDirection(lang: string): "ltr" | "rtl" {
  const base = lang.split("-")[0] ?? lang;
  return RIGHT_TO_LEFT.has(lang) || RIGHT_TO_LEFT.has(base) ? "rtl" : "ltr";
}

/** `lang` and `dir` of a text in another language than the document; none without a language. */
export function inLanguage(lang: string | undefined): { lang?: string; dir?: "ltr" | "rtl" } {
  return lang === undefined ? {} : { lang, dir: textDirection(lang) };
}

/** The strings of a theme chain: child over parent, the language over English. */
export class ThemeStrings {
  readonly #byTheme: readonly ReadonlyMap<string, Strings>[];
  readonly #merged = new Map<string, Strings>();

  /** `folders`: the themes, the active one first. Invalid files are logged and skipped. */
  constructor(folders: readonly string[], log: Logger) {
    this.#byTheme = folders.map((folder) => readLocales(join(folder, "locales"), log));
  }

  /** The lookup for a language: the string, else the fallback, else the key. */
  of(lang: string): (key: string, fallback?: string) => string {
    const strings = this.#in(lang);
    return (key, fallback) => strings.get(key) ?? fallback ?? key;
  }

  /** Keys of the English strings that both the language and its base language lack. */
  missing(lang: string): string[] {
    const base = lang.split("-")[0] ?? lang;
    const has = (key: string): boolean =>
      this.#byTheme.some((locales) =>
        [lang, base].some((language) => locales.get(language)?.has(key) === true),
      );
    return [...this.#in(FALLBACK).keys()].filter((key) => !has(key)).toSorted();
  }

  #in(lang: string): Strings {
    const cached = this.#merged.get(lang);
    if (cached !== undefined) return cached;
    const merged = new Map<string, string>();
    const base = lang.split("-")[0] ?? lang;
    for (const language of new Set([FALLBACK, base, lang])) {
      for (const locales of this.#byTheme.toReversed()) {
        for (const [key, text] of locales.get(language) ?? []) merged.set(key, text);
      }
    }
    this.#merged.set(lang, merged);
    return merged;
  }
}

function readLocales(folder: string, log: Logger): Map<string, Strings> {
  const locales = new Map<string, Strings>();
  for (const name of listNames(folder)) {
    const file = join(folder, name);
    try {
      const flat = new Map<string, string>();
      flatten(JSON.parse(readFileSync(file, "utf8")), "", flat);
      locales.set(name.slice(0, -".json".length), flat);
    } catch (error) {
      log.warn("render.locale_invalid", { file, error: String(error) });
    }
  }
  return locales;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[A-Za-z0-9-]+\.json$/.test(name));
  } catch {
    return [];
  }
}

function flatten(value: unknown, prefix: string, into: Map<string, string>): void {
  if (typeof value === "string") into.set(prefix, value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    flatten(child, prefix === "" ? key : `${prefix}.${key}`, into);
  }
}
