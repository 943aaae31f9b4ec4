/** Switches of front matter. */
import { isMap } from "./full-yaml.js";

/** Characters without a width, which copied texts bring along: soft hyphens, marks of direction, zero-width spaces. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** Quotes and spaces around a word: word processors write typographic ones, which YAML takes for text. */
const AROUND = /^[\s"'\u2018-\u201f\u00ab\u00bb]+|[\s"'\u2018-\u201f\u00ab\u00bb]+$/g;

/** A longer text, in characters, is no word: it is not searched for the blanks around one. */
const MAX_WORD = 64;

/** A word as it is meant: in lower case, without quotes, spaces and invisible characters around it. */
export function bareWord(text: string): string {
  if (text.length > MAX_WORD) return text;
  return text.replace(INVISIBLE, "").replace(AROUND, "").toLowerCase();
}

/** True or false, also as the words of YAML 1.1, in quotes, or as 1 and 0; null for any other value. */
export function toFlag(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" && typeof value !== "number") return null;
  const word = bareWord(String(value));
  if (/^(?:y|yes|on|true|1)$/.test(word)) return true;
  return /^(?:n|no|off|false|0)$/.test(word) ? false : null;
}

/** Values of `build` in Hugo. */
const BUILD_VALUES: ReadonlySet<string> = new Set(["always", "never", "local", "link"]);

/**
 * True when `_build` or `build` switches something off: `render: never` has no page, `list: never` no entry;
 * "invalid" for a value that Hugo does not know, and for the word without its option (`build: never`).
 */
export function buildOption(
  frontmatter: Readonly<Record<string, unknown>>,
  option: "render" | "list",
): boolean | "invalid" {
  const found = [frontmatter["_build"], frontmatter["build"]].map((given) => offIn(given, option));
  return found.includes("invalid") ? "invalid" : found.includes(true);
}

function offIn(given: unknown, option: "render" | "list"): boolean | "invalid" {
  if (!isMap(given)) {
    const isWord = typeof given === "string" && /^(?:never|link)$/.test(bareWord(given));
    return isWord && option === "render" ? "invalid" : false;
  }
  const value = given[option] ?? true;
  const flag = toFlag(value);
  if (flag !== null) return !flag;
  const word = typeof value === "string" ? bareWord(value) : "";
  if (!BUILD_VALUES.has(word)) return "invalid";
  return word === "never" || (option === "render" && word === "link");
}
