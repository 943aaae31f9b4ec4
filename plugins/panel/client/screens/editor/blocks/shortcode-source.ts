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
  const head = /^\{\{\s*[\w-]+/.exec(text)?.[0].length ?? 0;
  const inner = text.slice(0, -2).trimEnd();
  const words: Word[] = [];
  WORD.lastIndex = head;
  while (WORD.lastIndex < inner.length) {
    const match = WORD.exec(inner);
    if (match === null) return null;
    const [whole, key = null, named, bare] = match;
    const to = match.index + whole.length;
    const from = to - whole.trimStart().length;
    const isFlag = key !== null && named === undefined;
    // A word that is no parameter is a value.
    const isValue = !isFlag || !params.some(({ name }) => name === key);
    const written = named ?? bare ?? key ?? "";
    const quote = /^["']/.exec(written)?.[0] ?? "";
    const value = { from: to - written.length + quote.length, to: to - quote.length, quote };
    words.push({ key: isFlag && isValue ? null : key, from, to, value: isValue ? value : null });
  }
  const found = new Map<string, Word>();
  for (const word of words) if (word.key !== null) found.set(word.key, word);
  const free = params.map(({ name }) => name).filter((name) => !found.has(name));
  for (const word of words) {
    const name = word.key ?? free.shift();
    if (name === undefined || !params.some((param) => param.name === name)) return null;
    found.set(name, word);
  }
  return found;
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
  const word = words.get(name);
  if (shortcodeValues(text, params)?.get(name) === value) return null;
  const isFlag = param.type === "toggle";
  if (word === undefined) {
    if (value === "" || (isFlag && value !== "true")) return null;
    const at = text.slice(0, -2).trimEnd().length;
    // The first value needs no name.
    const isFirst = words.size === 0 && params[0] === param && !isFlag;
    const insert = isFlag ? ` ${name}` : ` ${isFirst ? "" : `${name}=`}${quoted(value, '"')}`;
    return { from: at, to: at, insert };
  }
  const isLast = [...words.values()].every(({ to }) => to <= word.to);
  const isRemoved = value === "" || (isFlag && value !== "true");
  // Without a value before it, the next one would take its place.
  if (isRemoved && (word.key !== null || isLast) && !(params[0] === param && param.required)) {
    const blanks = /[ \t]*$/.exec(text.slice(0, word.from))?.[0].length ?? 0;
    return { from: word.from - blanks, to: word.to, insert: "" };
  }
  if (word.value === null) return { from: word.to, to: word.to, insert: `=${quoted(value, '"')}` };
  const { from, to, quote } = word.value;
  if (quote !== "") return { from, to, insert: quoted(value, quote).slice(1, -1) };
  return { from, to, insert: /^[\w./:-]+$/.test(value) ? value : quoted(value, '"') };
}

function quoted(value: string, quote: string): string {
  const escaped = value
    .replace(/\s*\n\s*/g, " ")
    .replace(/["'\\]/g, (mark) => (mark === quote || mark === "\\" ? `\\${mark}` : mark));
  return quote + escaped + quote;
}
