/** The values in a shortcode (`{{ embed "address" title="Tides" }}`), and changes of them that leave the other characters alone. */
import type { BootShortcode } from "../../../boot.js";

/** A parameter of a shortcode. */
export type Parameter = BootShortcode["params"][number];

/** A value; positions count in the shortcode. */
interface Word {
  readonly key: string | null;
  readonly from: number;
  readonly to: number;
  /** The value without its quotes; null for a flag. */
  readonly value: { readonly from: number; readonly to: number; readonly quote: string } | null;
}

/** A change of the shortcode. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

// The syntax of the Markdown plugin.
const WORD =
  /\s*(?:([A-Za-z][\w-]*)(?:=("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'=]+))?(?=\s|$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?=\s|$))/y;

/** The name of a shortcode that is all of a text; null for another text. */
export function shortcodeName(text: string): string | null {
  return /^\{\{\s*([\w-]+)(?:\s[^]*)?\}\}$/.exec(text)?.[1] ?? null;
}

/** The values by parameter; null for a text that has others. */
function readWords(text: string, params: readonly Parameter[]): Map<string, Word> | null {
  const names = params.map(({ name }) => name);
  const words = scanWords(text, names);
  if (words === null) return null;
  const found = new Map<string, Word>();
  for (const word of words) if (word.key !== null) found.set(word.key, word);
  const free = names.filter((name) => !found.has(name));
  for (const word of words) {
    const name = word.key ?? free.shift();
    if (name === undefined || !names.includes(name)) return null;
    found.set(name, word);
  }
  return found;
}

/** The values in their order; null where the syntax is another one. */
function scanWords(text: string, names: readonly string[]): Word[] | null {
  const inner = text.slice(0, -2).trimEnd();
  const words: Word[] = [];
  WORD.lastIndex = /^\{\{\s*[\w-]+/.exec(text)?.[0].length ?? 0;
  while (WORD.lastIndex < inner.length) {
    const match = WORD.exec(inner);
    if (match === null) return null;
    words.push(toWord(match, names));
  }
  return words;
}

function toWord(match: RegExpExecArray, names: readonly string[]): Word {
  const [whole, key = null, named, bare] = match;
  const to = match.index + whole.length;
  const from = to - whole.trimStart().length;
  if (key !== null && named === undefined && names.includes(key))
    return { key, from, to, value: null };
  // A word that is no parameter is a value.
  const written = named ?? bare ?? key ?? "";
  const quote = /^["']/.exec(written)?.[0] ?? "";
  const value = { from: to - written.length + quote.length, to: to - quote.length, quote };
  return { key: named === undefined ? null : key, from, to, value };
}

/** The values of a shortcode by parameter, as they are read; null for one that has others. A flag is `true`. */
export function shortcodeValues(
  text: string,
  params: readonly Parameter[],
): ReadonlyMap<string, string> | null {
  const words = readWords(text, params);
  if (words === null) return null;
  const read = ({ value }: Word): string =>
    value === null ? "true" : text.slice(value.from, value.to).replace(/\\(.)/g, "$1");
  return new Map([...words].map(([name, word]) => [name, read(word)]));
}

/** Gives a parameter another value; empty: it has none. Null where nothing changes. */
export function valueChange(
  text: string,
  params: readonly Parameter[],
  name: string,
  value: string,
): Change | null {
  const words = readWords(text, params);
  const param = params.find((one) => one.name === name);
  if (words === null || param === undefined) return null;
  if (shortcodeValues(text, params)?.get(name) === value) return null;
  const isRemoved = value === "" || (param.type === "toggle" && value !== "true");
  const word = words.get(name);
  if (word === undefined) {
    const at = text.slice(0, -2).trimEnd().length;
    // The first value needs no name.
    const isFirst = words.size === 0 && params[0] === param;
    return isRemoved ? null : { from: at, to: at, insert: ` ${written(param, value, isFirst)}` };
  }
  const isNeeded = params[0] === param && param.required;
  if (isRemoved && !isNeeded && mayLack(words, word)) {
    const { length } = text.slice(0, word.from).trimEnd();
    return { from: length, to: word.to, insert: "" };
  }
  return replaced(word, value);
}

/** False for a value without a name before others: the next one would take its place. */
function mayLack(words: ReadonlyMap<string, Word>, { key, to }: Word): boolean {
  return key !== null || [...words.values()].every((word) => word.to <= to);
}

/** A value as it is added. */
function written({ name, type }: Parameter, value: string, isFirst: boolean): string {
  if (type === "toggle") return name;
  return `${isFirst ? "" : `${name}=`}${quoted(value, '"')}`;
}

/** Another value in the place of one, with its quotes. */
function replaced({ to: end, value: old }: Word, value: string): Change {
  if (old === null) return { from: end, to: end, insert: `=${quoted(value, '"')}` };
  const { from, to, quote } = old;
  if (quote !== "") return { from, to, insert: quoted(value, quote).slice(1, -1) };
  return { from, to, insert: /^[\w./:-]+$/.test(value) ? value : quoted(value, '"') };
}

function quoted(value: string, quote: string): string {
  const escaped = value
    .replace(/\s*\n\s*/g, " ")
    .replace(/["'\\]/g, (mark) => (mark === quote || mark === "\\" ? `\\${mark}` : mark));
  return quote + escaped + quote;
}
