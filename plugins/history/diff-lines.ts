import { diffArrays } from "diff";
import type { DiffLine } from "./contract.js";

/** Texts with more differing lines are shown as completely removed and added. */
const MAX_EDITS = 2_000;
/** Bounds the running time, which grows with edits × lines for repeated lines. */
const MAX_STEPS = 20_000_000;

/** The line diff of two texts. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).reverse(), now.slice(start).reverse());
  const [oldMiddle, newMiddle] = [old, now].map((lines) => lines.slice(start, lines.length - end));
  let [oldLine, newLine] = [0, 0];
  return [
    { value: old.slice(0, start), added: false, removed: false },
    ...changesOf(oldMiddle ?? [], newMiddle ?? []),
    { value: old.slice(old.length - end), added: false, removed: false },
  ].flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => {
      if (removed) return { kind: "removed", text, oldLine: ++oldLine, newLine: null };
      if (added) return { kind: "added", text, oldLine: null, newLine: ++newLine };
      return { kind: "same", text, oldLine: ++oldLine, newLine: ++newLine };
    }),
  );
}

function changesOf(old: string[], now: string[]) {
  const maxEditLength = Math.min(MAX_EDITS, Math.floor(MAX_STEPS / (old.length + now.length)));
  return (
    diffArrays(old, now, { maxEditLength }) ?? [
      { value: old, removed: true, added: false },
      { value: now, removed: false, added: true },
    ]
  );
}

/** Number of common lines at the start. */
function commonStart(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  let count = 0;
  while (count < length && a[count] === b[count]) count += 1;
  return count;
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
