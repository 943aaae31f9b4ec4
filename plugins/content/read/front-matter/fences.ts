/** Finds the front matter of a file in its bytes, and texts that are almost front matter. */
import { frontMatterOpening, FIELD } from "#lib/front-matter";
import { HIDDEN_BY_FALSE, HIDDEN_BY_TRUE, HIDING_NAMES } from "./hiding-keys.js";

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
  const fence = bytes.toString("latin1", at, at + 3);
  if (fence !== mark && !(fence === "..." && mark === "---")) return null;
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

/** Lines that may follow a key: an item, a comment, an indented or empty line, the end of a list. */
const FIELD_OR_REST = /^(?:[ \t]|- |-$|#|[\]}"']|$)/;
/** Lines that people and their word processors write instead of a fence. */
const ALMOST_FENCE =
  /^[\s\u200b\u2060\ufeff]*(?:[-\u2010-\u2015\u2212]{2,}|[\u2012-\u2015]|\+{2,}|;{3,}|-{3}\s*[#\w].*)[\s\u200b\u2060\ufeff]*$/;
/** Lines of Markdown and of other formats that some take for a fence, around a field that hides the page. */
const OTHER_FENCE =
  /^\s*(?:(?:-\s+){2,}-|(?:\*\s*){3,}|_{3,}|={3,}|(?:`{3,}|~{3,}|:{3,})\s*(?:ya?ml|toml|json)?|<!--|-->|%YAML.*)\s*$/;
const JSON_START = /^\s*(?:;{3,}\s*)?\{\s*"[^"\n]+"\s*:/;
/** A map of YAML or JSON5 in braces. */
const BRACES_START = /^\s*\{\s*[\w-]+\s*:[^{}]*\}/;
const QUOTE = String.raw`["'\u2018-\u201d]?`;
const hidingField = (keys: string, values: string): string =>
  String.raw`(?:${keys})${QUOTE}[ \t]*[:=][ \t]*${QUOTE}(?:${values})`;
/** A field alone on its line that keeps a page off the site. */
const HIDING_FIELD = new RegExp(
  String.raw`^[ \t]*${QUOTE}(?:${[
    hidingField(HIDDEN_BY_TRUE.join("|"), "true|yes|on|1"),
    hidingField(HIDDEN_BY_FALSE.join("|"), "false|no|off|0"),
    hidingField("status", "draft"),
  ].join("|")})${QUOTE}[ \t]*,?[ \t]*\r?$`,
  "im",
);
const MAYBE =
  /^[\s\u200b\u2060\ufeff]*(?:[-+;{\u2010-\u2015\u2212]|[^\s:=#<>[\]{}*_`-][^:=\n]{0,60}:(?:\s|$))/;
/** Keys of front matter without an opening fence that keep the text off the site. */
const HIDING = new RegExp(String.raw`^(?:${HIDING_NAMES.join("|")})\s*[:=]`, "i");

/** The line that should be a fence, and its number in the file, from 1. */
interface AlmostFence {
  readonly text: string;
  readonly line: number;
}

/**
 * Finds fields of front matter that no fence opens; null for other texts. Their author expects that they decide who
 * sees the page.
 */
export function almostFrontMatter(bytes: Buffer): AlmostFence | null {
  const from = bomLength(bytes);
  const head = bytes.toString("utf8", from, from + HEAD_BYTES);
  if (!MAYBE.test(head) && !HIDING_FIELD.test(head)) return null;
  const lines = splitLines(head);
  return nearFence(lines, findStart(head, lines) ?? hidingBlock(lines));
}

/** A second block of front matter directly below the first one, if it hides the page; null for other texts. */
export function secondFrontMatter(bytes: Buffer, bodyOffset: number): AlmostFence | null {
  let from = bodyOffset;
  while (isBlank(bytes[from])) from += 1;
  const lines = splitLines(bytes.toString("utf8", from, from + HEAD_BYTES));
  if (!/^(?:---|\+\+\+)[ \t]*$/.test(lines[0] ?? "")) return null;
  const end = lines.findIndex((line, at) => at > 0 && ALMOST_FENCE.test(line));
  const fields = end === -1 ? [] : lines.slice(1, end);
  const above = bytes.toString("latin1", 0, from).split("\n").length - 1;
  return isHiding(fields) ? { text: lines[0] ?? "", line: above + 1 } : null;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

function nearFence(lines: readonly string[], at: number | null): AlmostFence | null {
  return at === null ? null : { text: lines[at] ?? "", line: at + 1 };
}

/** The line with which a text begins like front matter; null when it does not. */
function findStart(head: string, lines: readonly string[]): number | null {
  const at = Math.max(
    lines.findIndex((line) => line.trim() !== ""),
    0,
  );
  const first = lines[at] ?? "";
  if (JSON_START.test(head)) return at;
  if (BRACES_START.test(head) && HIDING_FIELD.test(inBraces(head))) return at;
  const rest = lines.slice(at + 1);
  if (ALMOST_FENCE.test(first)) return isFenced(rest) ? at : null;
  const end = rest.findIndex((line) => ALMOST_FENCE.test(line));
  const fields = [first, ...rest.slice(0, Math.max(end, 0))];
  const isMatter = end !== -1 && fields.every(isField) && fields.some((line) => HIDING.test(line));
  return isMatter ? at : null;
}

/** The pairs of a map in braces, one a line. */
function inBraces(head: string): string {
  return head.slice(head.indexOf("{") + 1, head.indexOf("}")).replaceAll(",", "\n");
}

/**
 * A block of fields with one that hides the page: at the start of the file, or beside what may be meant as a fence.
 * Examples in fenced code below a text do not count.
 */
function hidingBlock(lines: readonly string[]): number | null {
  let start = 0;
  let isStart = true;
  // A blank line ends the last block.
  for (const [at, line] of [...lines, ""].entries()) {
    if (line.trim() !== "" && !isMark(line)) continue;
    const isBeside = isMark(line) || isMark(lines[start - 1] ?? "");
    if ((isStart || isBeside) && isHiding(lines.slice(start, at))) return start;
    // A text comes first, and this is code.
    if (!isStart && /^\s*(?:`{3,}|~{3,})/.test(line)) return null;
    isStart &&= start === at;
    start = at + 1;
  }
  return null;
}

/** True for fields of which one hides the page. */
function isHiding(block: readonly string[]): boolean {
  return block.every(isField) && block.some((line) => HIDING_FIELD.test(line));
}

/** True for a line that is a fence, or may be meant as one. */
function isMark(line: string): boolean {
  return ALMOST_FENCE.test(line) || OTHER_FENCE.test(line);
}

/** True when fields follow, up to another fence, or one that decides who sees the page. */
function isFenced(lines: readonly string[]): boolean {
  const fields: string[] = [];
  for (const line of lines) {
    if (ALMOST_FENCE.test(line)) return fields.some((each) => FIELD.test(each.trim()));
    if (!isField(line)) break;
    fields.push(line);
  }
  return fields.some((line) => HIDING.test(line.trim()));
}

function isField(line: string): boolean {
  return FIELD.test(line) || FIELD_OR_REST.test(line);
}
