import type { Sliced } from "#kernel/internal";
import type { Segment } from "./segment.js";

const STEP_DOCUMENTS = 4096;
/** The new number of a removed document. */
export const gone = 0xffffffff;

/** Two segments to merge. */
export type Pair = readonly [Segment, Segment];

/** Origin of the documents of the merged segment. */
export interface Numbering {
  readonly size: number;
  /** Per new number: the index of its segment in the pair, and its number there. */
  readonly sides: Uint8Array;
  readonly docs: Uint32Array;
  /** Per segment: old number to new one, or `gone` for the removed. */
  readonly maps: readonly [Uint32Array, Uint32Array];
}

/** Numbers the remaining documents of two segments. */
export function* renumber(pair: Pair): Sliced<Numbering> {
  const [left, right] = pair;
  const sides = new Uint8Array(left.size + right.size);
  const docs = new Uint32Array(left.size + right.size);
  const maps = [
    new Uint32Array(left.size).fill(gone),
    new Uint32Array(right.size).fill(gone),
  ] as const;
  let [l, r, size] = [0, 0, 0];
  while (l < left.size || r < right.size) {
    if ((l + r) % STEP_DOCUMENTS === 0) yield;
    const side = comesFirst(pair, l, r) ? 0 : 1;
    const doc = side === 0 ? l++ : r++;
    if (pair[side].dead[doc] === 1) continue;
    sides[size] = side;
    docs[size] = doc;
    maps[side][doc] = size++;
  }
  return { size, sides, docs, maps };
}

/** True when document `a` of the first segment precedes document `b` of the second. */
function comesFirst([left, right]: Pair, a: number, b: number): boolean {
  if (a >= left.size) return false;
  if (b >= right.size) return true;
  const days = (right.dates[b] ?? 0) - (left.dates[a] ?? 0);
  return days !== 0 ? days < 0 : (left.routes[a] ?? "") <= (right.routes[b] ?? "");
}
