/** Ends of tags whose attributes may be expressions, as in JSX. */
import { finderIn } from "#kernel/internal";

/**
 * The end of the tag that is open at a place of a text; null when it is not closed before the next tag.
 * What follows a place outside of values is the same for every tag that reaches it, so it is looked at once.
 */
export function tagEndIn(text: string): (from: number) => number | null {
  const find = finderIn(text);
  const braces = braceEnds(text);
  const known = new Map<number, number | null>();
  return (from) => {
    const passed: number[] = [];
    let at = from;
    let end: number | null | undefined;
    while (end === undefined) {
      const next = find(/[<>"'{]/g, at);
      const start = next?.start ?? -1;
      const mark = text[start];
      if (known.has(start)) end = known.get(start) ?? null;
      else if (next === null || mark === "<") end = null;
      else if (mark === ">") end = next.end;
      else {
        passed.push(start);
        const close = mark === "{" ? braces.get(start) : text.indexOf(mark ?? "", next.end) + 1;
        if (close === undefined || close === 0) end = null;
        else at = close;
      }
    }
    for (const place of passed) known.set(place, end);
    return end;
  };
}

/** The place after the closing brace of each opening one. */
function braceEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index + 1);
    }
  }
  return ends;
}
