import { diffArrays } from "diff";

/** Texts with more differing lines count as completely replaced. */
const MAX_EDITS = 2_000;
/** Bounds the running time, which grows with edits × lines for repeated lines. */
const MAX_STEPS = 20_000_000;

/** Lines that both texts have, or that one of them lacks. */
export interface LineRun {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

/** How one list of lines becomes another, in order. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineRun[] {
  const start = commonStart(before, after);
  const end = commonStart(before.slice(start).reverse(), after.slice(start).reverse());
  const [old, now] = [before, after].map((lines) => lines.slice(start, lines.length - end));
  return [
    { value: before.slice(0, start), added: false, removed: false },
    ...changesOf(old ?? [], now ?? []),
    { value: before.slice(before.length - end), added: false, removed: false },
  ];
}

function changesOf(old: string[], now: string[]): LineRun[] {
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
