import type { Sliced } from "#kernel/internal";

/**
 * Concatenated texts of UTF-16 units: text `i` is `pool[offsets[i]]` to `pool[offsets[i + 1] - 1]`.
 */
export interface Texts {
  readonly pool: Uint16Array;
  readonly offsets: Uint32Array;
  readonly count: number;
}

const stepLength = 1 << 15;

/**
 * Sorts text numbers with a multikey quicksort (Bentley and Sedgewick), which does not compare
 * common prefixes twice.
 */
export function* orderTexts({ pool, offsets, count }: Texts): Sliced<Uint32Array> {
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at++) order[at] = at;
  /** -1 at the end, so that a prefix sorts before longer texts. */
  const unitOf = (text: number, depth: number): number => {
    const at = (offsets[text] as number) + depth;
    return at < (offsets[text + 1] as number) ? (pool[at] as number) : -1;
  };
  /** Ranges still to sort: their bounds, and the length of the common prefix. */
  const ranges = [0, count, 0];
  let work = 0;
  while (ranges.length > 0) {
    const depth = ranges.pop() as number;
    const to = ranges.pop() as number;
    const from = ranges.pop() as number;
    if (to - from < 2) continue;
    const pivot = unitOf(order[(from + to) >>> 1] as number, depth);
    let [less, more] = [from, to];
    for (let at = from; at < more;) {
      const text = order[at] as number;
      const unit = unitOf(text, depth);
      if (unit === pivot) at += 1;
      else if (unit < pivot) {
        order[at++] = order[less] as number;
        order[less++] = text;
      } else {
        order[at] = order[--more] as number;
        order[more] = text;
      }
    }
    ranges.push(from, less, depth, more, to, depth);
    if (pivot >= 0) ranges.push(less, more, depth + 1);
    if ((work += to - from) < stepLength) continue;
    work = 0;
    yield;
  }
  return order;
}
