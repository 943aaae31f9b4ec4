/** The words between the braces of a shortcode. */
export interface ParsedShortcode {
  readonly name: string;
  /** Values by key; a flag is true. */
  readonly named: Readonly<Record<string, string | true>>;
  /** Values without a key, in order. */
  readonly unnamed: readonly string[];
}

const WORD =
  /\s*(?:([A-Za-z][\w-]*)(?:=("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'=]+))?(?=\s|$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?=\s|$))/y;

/** Parses `{{ name key="value" flag "value" }}`; a text that is malformed from a place on: that rest. */
export function parseShortcode(source: string): ParsedShortcode | { malformed: string } {
  const words = source.slice(2, -2).trim();
  const name = /^[\w-]*/.exec(words)?.[0] ?? "";
  const named: Record<string, string | true> = Object.create(null);
  const unnamed: string[] = [];
  WORD.lastIndex = name.length;
  while (WORD.lastIndex < words.length) {
    const from = WORD.lastIndex;
    const match = WORD.exec(words);
    if (match === null) return { malformed: words.slice(from).trim() };
    const [, key, value, bare] = match;
    if (key === undefined) unnamed.push(unquoted(bare ?? ""));
    else named[key] = value === undefined ? true : unquoted(value);
  }
  return { name, named: { ...named }, unnamed };
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}
