import type { FacetCounts } from "../../contract.js";
import { orderedCounts } from "../../query/select.js";
import type { ValueCount } from "../../query/select.js";
import { columnOf } from "./columns.js";
import type { Column } from "./columns.js";
import type { Segment } from "./segment.js";

/** Counts facet values over all matches, segment by segment. */
export class FacetCounter {
  readonly #fields: readonly string[];
  readonly #totals: ValueCount[][] = [];
  #segments = 0;
  #columns: (Column | undefined)[] = [];
  #counts: Uint32Array[] = [];

  constructor(fields: readonly string[]) {
    this.#fields = fields;
    for (let at = 0; at < fields.length; at++) this.#totals.push([]);
  }

  /** Starts a segment; call `end` afterwards. */
  begin(segment: Segment): void {
    this.#columns = this.#fields.map((field) => segment.columns.get(columnOf.facet(field)));
    this.#counts = this.#columns.map((column) => new Uint32Array(column?.values.length ?? 0));
  }

  /** Counts a document in every facet. */
  countAll(doc: number): void {
    for (let facet = 0; facet < this.#fields.length; facet++) this.count(doc, facet);
  }

  /** Counts a document in one facet. */
  count(doc: number, facet: number): void {
    const [column, counts] = [this.#columns[facet], this.#counts[facet]];
    if (!column || !counts) return;
    const end = column.starts[doc + 1] as number;
    for (let at = column.starts[doc] as number; at < end; at++) {
      const id = column.ids[at] as number;
      counts[id] = (counts[id] as number) + 1;
    }
  }

  /** Adds the segment's counts to the totals. */
  end(): void {
    this.#totals.forEach((total, facet) => {
      const [values, counts] = [this.#columns[facet]?.values ?? [], this.#counts[facet] ?? []];
      for (let id = 0; id < values.length; id++) {
        const count = counts[id] as number;
        if (count > 0) total.push([values[id] as string, count]);
      }
    });
    this.#segments += 1;
  }

  /** Field to value to count, most frequent first. */
  result(): FacetCounts {
    const fields = this.#fields.map((field, at): [string, Record<string, number>] => {
      const total = this.#totals[at] ?? [];
      return [field, orderedCounts(this.#segments > 1 ? summed(total) : total)];
    });
    return Object.fromEntries(fields);
  }
}

/** One entry per value, however many segments contain it. */
function summed(parts: readonly ValueCount[]): ValueCount[] {
  const sums = new Map<string, number>();
  for (const [value, count] of parts) sums.set(value, (sums.get(value) ?? 0) + count);
  return [...sums];
}
