/** Finds addresses in a Markdown text without parsing it: fast enough for a whole site. */

/** An address in the text. */
export interface ScannedReference {
  /** The address, with escapes and entities decoded. */
  readonly target: string;
  /** Position in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

// Each is linear: no part of a match can be read in two ways.
const INLINE = /\]\(\s*(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()]*\))+))/dg;
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:(?:[ \t]*\n)?[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))/dgm;
const ATTRIBUTE = /\b(?:href|src|poster)\s{0,9}=\s{0,9}(?:"([^"\n]*)"|'([^'\n]*)')/dgi;

/** The addresses of links, images, definitions and HTML attributes, in order. */
export function scanReferences(text: string, from = 0): ScannedReference[] {
  const masked = maskCode(text, from);
  const references = [INLINE, DEFINITION, ATTRIBUTE].flatMap((pattern) =>
    [...masked.matchAll(pattern)].flatMap((match) => {
      const [start, end] = match.indices?.[1] ?? match.indices?.[2] ?? [0, 0];
      return end > start ? [{ start, end }] : [];
    }),
  );
  references.sort((a, b) => a.start - b.start);
  const line = lineCounter(text);
  return references.map(({ start, end }) => ({
    start,
    end,
    line: line(start),
    target: plain(text.slice(start, end)),
  }));
}

/** Replaces everything before `from`, code and comments with spaces; positions stay the same. */
function maskCode(text: string, from: number): string {
  const body = maskFences(text.slice(from)).replace(/<!--(?:(?!-->)[^])*(?:-->)?/g, blank);
  return blank(text.slice(0, from)) + maskSpans(body);
}

/** A fence at the start of a line, also in a quote or an item of a list. */
const FENCE = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*(`{3,}|~{3,})(.*)$/;

/** Fenced code: to the closing fence, or to the end. */
function maskFences(text: string): string {
  let fence: string | null = null;
  return text
    .split("\n")
    .map((line) => {
      const [, run, info = ""] = FENCE.exec(line) ?? [];
      if (fence === null) {
        // The info of a fence of backticks has none: with one it is a code span.
        if (run === undefined || (run.startsWith("`") && info.includes("`"))) return line;
        fence = run;
        return blank(line);
      }
      if (run?.startsWith(fence) === true && info.trim() === "") fence = null;
      return blank(line);
    })
    .join("\n");
}

/** Code spans: a run of backticks up to the next run of the same length in the same paragraph. */
function maskSpans(text: string): string {
  return text
    .split(/(\n[ \t>]*\n)/)
    .map((paragraph) => (paragraph.includes("`") ? maskSpansIn(paragraph) : paragraph))
    .join("");
}

function maskSpansIn(text: string): string {
  // An escaped backtick begins nothing, but may end a span.
  const runs = [...text.matchAll(/(?<!\\)(\\*)(`+)/g)].map(
    ({ index, 1: escape = "", 2: run = "" }) => ({
      index: index + escape.length,
      length: run.length,
      isEscaped: escape.length % 2 === 1,
    }),
  );
  const next = new Map<number, number>();
  const closing = runs.map(() => -1);
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = runs[at]?.length ?? 0;
    closing[at] = next.get(length) ?? -1;
    next.set(length, at);
  }
  let result = "";
  let done = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const [open, close] = [runs[at], runs[closing[at] ?? -1]];
    if (open === undefined || open.isEscaped || close === undefined) continue;
    result +=
      text.slice(done, open.index) + blank(text.slice(open.index, close.index + close.length));
    done = close.index + close.length;
    at = closing[at] ?? at;
  }
  return result + text.slice(done);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function plain(written: string): string {
  return written.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("&amp;", "&");
}

/** Line numbers of ascending offsets. */
function lineCounter(text: string): (offset: number) => number {
  let [line, at] = [1, 0];
  return (offset) => {
    for (; at < offset; at += 1) if (text.charCodeAt(at) === 10) line += 1;
    return line;
  };
}
