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

/** Fenced code: to the closing fence, or to the end. */
function maskFences(text: string): string {
  let fence: string | null = null;
  return text
    .split("\n")
    .map((line) => {
      const run = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === null) {
        if (run !== undefined) fence = run;
        return run === undefined ? line : blank(line);
      }
      const isEnd = run?.startsWith(fence) === true && /^[ `~\t\r]*$/.test(line);
      if (isEnd) fence = null;
      return blank(line);
    })
    .join("\n");
}

/** Code spans: a run of backticks up to the next run of the same length. */
function maskSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: run }) => ({
    index,
    length: run.length,
  }));
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
    if (open === undefined || close === undefined) continue;
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
