/** A place at which a pattern or a text was found. */
export interface Found {
  readonly start: number;
  readonly end: number;
}
/**
 * Finds a text or a global pattern at or after a place; null when it does not follow. A search from a
 * later place for what was found or missed before takes no second scan.
 */
export type Find = (wanted: string | RegExp, from: number) => Found | null;
/** The text that replaces a mark, and the end of the mark; null leaves its opening as it is. */
export type ReplaceMark = (
  opening: RegExpExecArray,
  find: Find,
) => { readonly text: string; readonly end: number } | null;

interface Search {
  readonly from: number;
  readonly found: Found | null;
}

/**
 * Replaces marks that have an opening and an end, such as `[name …]` or `<!-- … -->`. A single pattern
 * for both takes quadratic time for many openings without an end: it looks for the end from each of
 * them. Here each end is looked for once. `opening`: a global pattern that matches a bounded text.
 */
export function replaceMarks(text: string, opening: RegExp, replace: ReplaceMark): string {
  const find = finderIn(text);
  const openings = new RegExp(opening);
  let result = "";
  let done = 0;
  for (let match = openings.exec(text); match !== null; match = openings.exec(text)) {
    const replaced = replace(match, find);
    if (replaced === null) continue;
    result += text.slice(done, match.index) + replaced.text;
    done = replaced.end;
    openings.lastIndex = done;
  }
  return result + text.slice(done);
}

/** Text without HTML tags; `gap` takes the place of each. */
export function withoutTags(html: string, gap = ""): string {
  return replaceMarks(html, /</g, ({ index }, find) => {
    const close = find(">", index);
    return close === null ? null : { text: gap, end: close.end };
  });
}

/** A memory for searches in one text. */
export function finderIn(text: string): Find {
  const searches = new Map<string, Search>();
  return (wanted, from) => {
    const key = typeof wanted === "string" ? `"${wanted}` : wanted.toString();
    const last = searches.get(key);
    const isKnown = last !== undefined && from >= last.from;
    if (isKnown && (last.found === null || from <= last.found.start)) return last.found;
    const found = search(text, wanted, from);
    searches.set(key, { from, found });
    return found;
  };
}

function search(text: string, wanted: string | RegExp, from: number): Found | null {
  if (typeof wanted === "string") {
    const start = text.indexOf(wanted, from);
    return start === -1 ? null : { start, end: start + wanted.length };
  }
  const pattern = new RegExp(wanted);
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? null : { start: match.index, end: match.index + match[0].length };
}
