/** Finds the front matter of a file in its bytes. */
import { frontMatterOpening } from "#kernel/internal";

/** Byte offsets of the text between the fences, and of the body. */
export interface FrontMatterRange {
  start: number;
  end: number;
  bodyOffset: number;
  syntax: "yaml" | "toml";
  /** Line of the opening fence, from 1: more than 1 after blank lines or HTML comments. */
  line: number;
}

/** Front matter that no line closes; `line`: of its opening fence, from 1. */
export interface UnclosedFrontMatter {
  readonly isUnclosed: true;
  readonly line: number;
}

const NEWLINE = 0x0a;
/** First bytes of a fence, a comment or a blank line: most files without front matter start otherwise. */
const MAY_OPEN: ReadonlySet<number | undefined> = new Set(Buffer.from("-+< \t\r\n"));
/** Blank lines and comments before front matter are no longer than this. */
export const HEAD_BYTES = 16 * 1024;

/**
 * Finds the fences: `---` (YAML) or `+++` (TOML) in the first line, or after blank lines and HTML comments
 * where a field follows. Null when the file does not start with front matter.
 */
export function findFrontMatter(bytes: Buffer): FrontMatterRange | UnclosedFrontMatter | null {
  const first = bomLength(bytes);
  if (!MAY_OPEN.has(bytes[first])) return null;
  // Latin-1, so that an index is an offset of bytes.
  const opening = frontMatterOpening(bytes.toString("latin1", first, first + HEAD_BYTES));
  if (opening === null) return null;
  const { length, mark, syntax, line, endsFile } = opening;
  const unclosed = { isUnclosed: true, line } as const;
  if (endsFile) return bytes.length > first + mark.length ? unclosed : null;
  const start = first + length;
  for (let from = start; from < bytes.length;) {
    const after = fenceEnd(bytes, from, mark);
    if (after !== null) return { start, end: from, bodyOffset: after, syntax, line };
    const next = bytes.indexOf(NEWLINE, from);
    if (next === -1) break;
    from = next + 1;
  }
  return unclosed;
}

/** Offset after a line that is only the mark, or `...` after YAML; null when it is no fence. */
function fenceEnd(bytes: Buffer, at: number, mark: string): number | null {
  const found = bytes.toString("latin1", at, at + 3);
  if (found !== mark && !(found === "..." && mark === "---")) return null;
  for (let i = at + 3; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === NEWLINE) return i + 1;
    if (!isBlank(byte)) return null;
  }
  return bytes.length;
}

/** True for a space, a tab, a carriage return or a line feed. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;
}

/** Bytes of a byte order mark. */
export function bomLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
