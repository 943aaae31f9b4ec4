/** The part of a file that an inclusion names: lines, a marked region, or a section of Markdown. */
import { slug } from "github-slugger";

/** A part of a file; all of it without any key. */
export interface FilePart {
  /** Ranges of lines from 1, both ends included. */
  readonly lines?: readonly (readonly [from: number, to: number])[];
  /** A region between marks: `ANCHOR: x`, `#region x`, `--8<-- [start:x]`, `/// [x]`. */
  readonly region?: string;
  /** A heading with what is below it: its text, or its anchor; with `region`, if there is no such region. */
  readonly heading?: string;
  /** A block of Obsidian: `^id`. */
  readonly block?: string;
}

/** Marks of regions: `ANCHOR: x`, `#region x`, `--8<-- [start:x]`. */
const MARK = /ANCHOR(?:_END)?: ?[\w-]|#(?:end)?region\b|8<-{1,20} ?\[(?:start|end):/;
/** `/// [x]` of docsify, alone on its line. */
const FRAGMENT = /^(?:(?:\/\/|#|<!--) ?)?\/{3} ?\[[\w-]{1,100}\]/;

function isMark(line: string): boolean {
  return MARK.test(line) || FRAGMENT.test(line.trim());
}

/** The part of a text, without the lines that mark regions; null when it has no such part. */
export function partOf(text: string, part: FilePart): string | null {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const region = part.region === undefined ? null : regionOf(lines, part.region);
  if (region !== null || (part.region !== undefined && part.heading === undefined)) return region;
  if (part.heading !== undefined) return sectionOf(lines, part.heading);
  if (part.block !== undefined) return blockOf(lines, part.block);
  const picked =
    part.lines === undefined
      ? lines
      : part.lines.flatMap(([from, to]) => lines.slice(Math.max(1, from) - 1, to));
  return picked.filter((line) => !isMark(line)).join("\n");
}

/** `2:5`, `2,5`, `2-5`, `2-`, `7` as a range of lines; null for any other text. */
export function lineRange(text: string): readonly [number, number] | null {
  const [, from = "", mark, to = ""] = /^(\d{0,9})([:,-])?(\d{0,9})$/.exec(text.trim()) ?? [];
  if (from === "" && to === "") return null;
  const first = Number(from || 1);
  if (mark === undefined) return [first, first];
  return [first, to === "" ? Infinity : Number(to)];
}

function regionOf(lines: readonly string[], name: string): string | null {
  const [starts, ends] = marksOf(name);
  const start = lines.findIndex((line) =>
    starts.some((mark) => line.includes(mark) && isMarkOf(line, mark)),
  );
  if (start === -1) return null;
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) =>
    ends.some((mark) => line.includes(mark) && isMarkOf(line, mark)),
  );
  const inner = end === -1 ? after : after.slice(0, end);
  return dedented(inner.filter((line) => !isMark(line))).join("\n");
}

function marksOf(name: string): [starts: string[], ends: string[]] {
  return [
    [
      `ANCHOR: ${name}`,
      `ANCHOR:${name}`,
      `#region ${name}`,
      `[start:${name}]`,
      `[start: ${name}]`,
      `/// [${name}]`,
    ],
    [
      `ANCHOR_END: ${name}`,
      `ANCHOR_END:${name}`,
      `#endregion ${name}`,
      "#endregion",
      `[end:${name}]`,
      `[end: ${name}]`,
      `/// [${name}]`,
    ],
  ];
}

/** True when the name in a mark ends where the mark does: `ANCHOR: a` is not `ANCHOR: ab`. */
function isMarkOf(line: string, mark: string): boolean {
  const after = line.slice(line.indexOf(mark) + mark.length);
  if (mark === "#endregion") return /^\s*(?:-->|\*\/)?\s*$/.test(after);
  return mark.endsWith("]") || !/^[\w-]/.test(after);
}

/** The lines from a heading up to the next one of its level or above. */
function sectionOf(lines: readonly string[], wanted: string): string | null {
  const names = new Set([wanted.trim().toLowerCase(), slug(wanted.trim())]);
  let fence = false;
  let start = -1;
  let level = 0;
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    const [, marks, title] = fence ? [] : (/^(#{1,6})[ \t]+(\S[^\n]*)$/.exec(line) ?? []);
    if (marks === undefined || title === undefined) continue;
    if (start !== -1 && marks.length <= level) return lines.slice(start, at).join("\n").trimEnd();
    const plain = title.replace(/[ \t]+\{#[\w-]+\}[ \t]*$/, "").replace(/[ \t]+#+$/, "");
    const id = /\{#([\w-]+)\}[ \t]*$/.exec(title)?.[1];
    const isWanted =
      names.has(plain.trim().toLowerCase()) || names.has(slug(plain)) || id === wanted.trim();
    if (start === -1 && isWanted) [start, level] = [at, marks.length];
  }
  return start === -1 ? null : lines.slice(start).join("\n").trimEnd();
}

/** The paragraph or list item that ends with `^id`, or the block before a line `^id`. */
function blockOf(lines: readonly string[], id: string): string | null {
  const end = lines.findIndex((line) => line.trimEnd().endsWith(`^${id}`));
  if (end === -1) return null;
  const line = lines[end] ?? "";
  const text = line
    .trimEnd()
    .slice(0, -id.length - 1)
    .trimEnd();
  if (/^\s*(?:[-*+]|\d+[.)])\s/.test(line)) return dedented([text]).join("\n");
  const isAlone = text.trim() === "";
  let last = isAlone ? end - 1 : end;
  while (isAlone && last >= 0 && (lines[last] ?? "").trim() === "") last -= 1;
  let start = last;
  while (start > 0 && (lines[start - 1] ?? "").trim() !== "") start -= 1;
  const block = lines.slice(start, last + 1);
  return [...block.slice(0, -1), ...(isAlone ? block.slice(-1) : [text])].join("\n");
}

/** The lines without the white space that all of them begin with. */
export function dedented(lines: readonly string[]): string[] {
  const widths = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const width = widths.length === 0 ? 0 : Math.min(...widths);
  return lines.map((line) => line.slice(Math.min(width, line.length - line.trimStart().length)));
}
