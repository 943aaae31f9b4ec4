/** Sets of rows, one bit per row. */

/** Rows of both. */
export function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((word, at) => word & (b[at] ?? 0));
}

/** Rows of either. */
export function unite(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((word, at) => word | (b[at] ?? 0));
}

export function hasBit(bits: Uint32Array, row: number): boolean {
  return (((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
}

/** Number of rows. */
export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) {
    let rest = word - ((word >>> 1) & 0x55555555);
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
    count += (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}
