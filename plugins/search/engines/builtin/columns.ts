import type { SearchDocument } from "../../contract.js";

/** Values of one property for each document: a dictionary and, per document, numbers into it. */
export interface Column {
  readonly values: readonly string[];
  /** Numbers of document `d` are `ids[starts[d]]` to `ids[starts[d + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly ids: Uint32Array;
}

/** Collects the values of one column, document by document. */
export class ColumnBuilder {
  readonly #known = new Map<string, number>();
  readonly #counts: number[] = [];
  readonly #ids: number[] = [];

  /** Adds the values of document number `at`; documents left out have none. */
  add(at: number, values: Iterable<string>): void {
    while (this.#counts.length <= at) this.#counts.push(0);
    for (const value of new Set(values)) {
      let id = this.#known.get(value);
      if (id === undefined) this.#known.set(value, (id = this.#known.size));
      this.#ids.push(id);
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    }
  }

  /** The column with documents renumbered: `order[new] = old`. */
  finish(order: Uint32Array): Column {
    const offsets = new Uint32Array(order.length + 1);
    for (let at = 0; at < order.length; at++)
      offsets[at + 1] = (offsets[at] ?? 0) + (this.#counts[at] ?? 0);
    const starts = new Uint32Array(order.length + 1);
    const ids = new Uint32Array(this.#ids.length);
    let used = 0;
    order.forEach((old, at) => {
      for (let from = offsets[old] ?? 0; from < (offsets[old + 1] ?? 0); from++)
        ids[used++] = this.#ids[from] ?? 0;
      starts[at + 1] = used;
    });
    return { values: [...this.#known.keys()], starts, ids };
  }
}

/** Name of the column of a taxonomy or facet field; the others are `template`, `lang` and `access`. */
export const columnOf = {
  taxonomy: (name: string): string => `taxonomy ${name}`,
  facet: (field: string): string => `facet ${field}`,
};

/** The values of a document, column by column. */
export function* columnValues(
  document: Omit<SearchDocument, "body">,
): Generator<[string, readonly string[]]> {
  yield ["template", [document.template]];
  yield ["lang", [document.lang]];
  yield ["access", [document.access]];
  for (const [name, values] of Object.entries(document.taxonomy))
    yield [columnOf.taxonomy(name), values];
  for (const [field, values] of Object.entries(document.facets))
    yield [columnOf.facet(field), values];
}

/** True when document `at` has one of the allowed values. */
export function hasValue(column: Column, allowed: Uint8Array, at: number): boolean {
  const end = column.starts[at + 1] ?? 0;
  for (let from = column.starts[at] ?? 0; from < end; from++) {
    if (allowed[column.ids[from] ?? 0] === 1) return true;
  }
  return false;
}
