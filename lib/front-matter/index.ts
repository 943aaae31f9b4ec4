/** Finds the front matter of a page, and its private keys. Runs in Node.js and in browsers. */

/** The line that opens front matter. */
export interface FrontMatterOpening {
  /** Characters up to the end of this line, with what stands before it. */
  readonly length: number;
  /** The characters of both fences. */
  readonly mark: "---" | "+++";
  readonly syntax: "yaml" | "toml";
  /** Number of this line, from 1: more than 1 after blank lines or HTML comments. */
  readonly line: number;
  /** True when nothing follows, not even a line end. */
  readonly endsFile: boolean;
}

const OPENING = /(?:---[ \t]*(?<word>ya?ml|toml|json)?|\+\+\+)[ \t]*(?:\r?\n|$)/y;
const BLANK = /[ \t]*\r?\n/y;
const COMMENT = /[ \t]*<!--[^]*?-->[ \t]*\r?\n/y;
/** A key, or a table of TOML. */
export const FIELD = /^(?:[^\s:=#<>[\]{}-][^:=]*[:=]|["'][^"']+["']\s*[:=]|\[[\w."-]+\]\s*$)/;
const CLOSING_LINE = /(?<=^|\n)(?:---|\.\.\.)[ \t\r]*(?:\n|$)/g;
const CLOSING_TOML_LINE = /(?<=^|\n)\+\+\+[ \t\r]*(?:\n|$)/g;

/**
 * Finds the line that opens front matter: `---` (YAML) or `+++` (TOML) in the first line, or after blank lines
 * and HTML comments where a field follows. `head`: the start of the file, without byte order mark.
 */
export function frontMatterOpening(head: string): FrontMatterOpening | null {
  const at = afterBlank(head);
  const fence = execAt(OPENING, head, at);
  if (fence === null) return null;
  const [written] = fence;
  const length = at + written.length;
  if (at > 0 && !FIELD.test(firstLine(head.slice(length)))) return null;
  const mark = written.startsWith("+") ? "+++" : "---";
  const isToml = mark === "+++" || fence.groups?.["word"] === "toml";
  return {
    length,
    mark,
    syntax: isToml ? "toml" : "yaml",
    line: head.slice(0, at).split("\n").length,
    endsFile: !written.endsWith("\n"),
  };
}

/** The line that closes front matter, `...` after YAML too, searched from `from`; null without one. */
export function frontMatterClosing(
  text: string,
  from: number,
  mark: FrontMatterOpening["mark"],
): { readonly start: number; readonly end: number } | null {
  const pattern = mark === "+++" ? CLOSING_TOML_LINE : CLOSING_LINE;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? null : { start: match.index, end: match.index + match[0].length };
}

/** The offset after blank lines and comments. */
function afterBlank(head: string): number {
  let at = 0;
  for (;;) {
    const skipped = execAt(BLANK, head, at) ?? execAt(COMMENT, head, at);
    if (skipped === null) return at;
    at += skipped[0].length;
  }
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}

/** True for private keys of front matter, which the API does not show. */
export function isPrivateKey(key: string): boolean {
  return key.startsWith("_");
}

/** Front matter without its private keys. */
export function publicKeys(
  frontmatter: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(frontmatter).filter(([key]) => !isPrivateKey(key)));
}
