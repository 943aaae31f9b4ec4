import type { QueryName } from "./contract.js";
import { toComparable, type Comparable } from "./comparable.js";
import type { CompiledCondition } from "./conditions.js";

const ABSENT = -1;
const LIST = -2;

/**
 * The values of one name in every row, each distinct value stored once: a condition tests distinct values
 * instead of rows.
 */
export class Column {
  /** Per row: the number of its value, `ABSENT` or `LIST`. */
  readonly #codes: Int32Array;
  readonly #lists = new Map<number, readonly number[]>();
  readonly #values: unknown[] = [];
  readonly #comparables: Comparable[] = [];

  constructor(rows: readonly unknown[], kind: QueryName<unknown>["kind"], timezone: string) {
    this.#codes = new Int32Array(rows.length);
    const codes = new Map<unknown, number>();
    const codeOf = (value: unknown): number => {
      const known = codes.get(value);
      if (known !== undefined) return known;
      const code = this.#values.length;
      codes.set(value, code);
      this.#values.push(value);
      this.#comparables.push(toComparable(value, kind, timezone));
      return code;
    };
    for (const [row, value] of rows.entries()) {
      if (Array.isArray(value)) this.#lists.set(row, value.map(codeOf));
      this.#codes[row] = Array.isArray(value) ? LIST : value === undefined ? ABSENT : codeOf(value);
    }
  }

  /** The rows in which the condition holds, as bits. */
  matching({ isNegated, scalar, element }: CompiledCondition): Uint32Array {
    const test = (isWanted: CompiledCondition["scalar"]): Uint8Array =>
      Uint8Array.from(this.#values, (value, code) =>
        Number(isWanted(value, this.#comparables[code] ?? null)),
      );
    const scalars = test(scalar);
    const elements = this.#lists.size === 0 || element === scalar ? scalars : test(element);
    const bits = new Uint32Array(Math.ceil(this.#codes.length / 32));
    for (let row = 0; row < this.#codes.length; row += 1) {
      const code = this.#codes[row] ?? ABSENT;
      const isMatch = code >= 0 ? scalars[code] === 1 : code === LIST && this.#has(row, elements);
      // `bits` has a word for every row.
      if (isMatch !== isNegated) bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31));
    }
    return bits;
  }

  #has(row: number, elements: Uint8Array): boolean {
    return this.#lists.get(row)?.some((code) => elements[code] === 1) === true;
  }
}

// Sets of rows have one bit per row.

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
