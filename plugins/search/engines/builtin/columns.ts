/** Values of one property for each document: a dictionary and, per document, indexes into it. */
export interface Column {
  readonly values: readonly string[];
  /** Numbers of document `d` are `ids[starts[d]]` to `ids[starts[d + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly ids: Uint32Array;
}

/** Collects the values of one column, document by document. */
export class ColumnBuilder {
  readonly #known = new Map<string, number>();
  readonly #starts: number[] = [];
  readonly #ids: number[] = [];
  /** The last document that has a value. */
  readonly #last: number[] = [];

  /** Adds the values of document number `at`; skipped documents have none. */
  add(at: number, values: readonly string[]): void {
    while (this.#starts.length <= at) this.#starts.push(this.#ids.length);
    for (const value of values) {
      let id = this.#known.get(value);
      if (id === undefined) this.#known.set(value, (id = this.#known.size));
      if (this.#last[id] === at) continue;
      this.#last[id] = at;
      this.#ids.push(id);
    }
  }

  /** Returns the column with renumbered documents: `order[new] = old`. */
  finish(order: Uint32Array): Column {
    const starts = new Uint32Array(order.length + 1);
    const ids = new Uint32Array(this.#ids.length);
    let used = 0;
    for (let at = 0; at < order.length; at++) {
      const old = order[at] as number;
      const end = this.#starts[old + 1] ?? this.#ids.length;
      for (let from = this.#starts[old] ?? end; from < end; from++)
        ids[used++] = this.#ids[from] as number;
      starts[at + 1] = used;
    }
    return { values: [...this.#known.keys()], starts, ids };
  }
}

/**
 * Name of the column of a taxonomy or facet field; the other columns are `template`, `lang` and
 * `access`.
 */
export const columnOf = {
  taxonomy: (name: string): string => `taxonomy ${name}`,
  facet: (field: string): string => `facet ${field}`,
};

/** True when document `at` has one of the allowed values. */
export function hasValue(column: Column, allowed: Uint8Array, at: number): boolean {
  const end = column.starts[at + 1] ?? 0;
  for (let from = column.starts[at] ?? 0; from < end; from++) {
    if (allowed[column.ids[from] ?? 0] === 1) return true;
  }
  return false;
}
