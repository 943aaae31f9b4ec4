import type { Sliced } from "#kernel/internal";
import type { Column } from "./columns.js";
import type { Numbering, Pair } from "./numbering.js";

const STEP_DOCUMENTS = 4096;

/** Merges the columns of two segments, with the values of the remaining documents. */
export function* mergeColumns(pair: Pair, numbering: Numbering): Sliced<Map<string, Column>> {
  const merged = new Map<string, Column>();
  for (const { columns } of pair) {
    for (const name of columns.keys()) {
      if (!merged.has(name)) merged.set(name, yield* mergeColumn(name, pair, numbering));
    }
  }
  return merged;
}

function* mergeColumn(name: string, pair: Pair, numbering: Numbering): Sliced<Column> {
  const [left, right] = [pair[0].columns.get(name), pair[1].columns.get(name)];
  const out = new ColumnWriter(numbering.size, (left?.ids.length ?? 0) + (right?.ids.length ?? 0));
  for (let at = 0; at < numbering.size; at++) {
    const column = numbering.sides[at] === 0 ? left : right;
    if (column) out.copy(column, numbering.docs[at] as number);
    out.endDocument();
    if (at % STEP_DOCUMENTS === 0) yield;
  }
  return out.finish();
}

/** Writes a merged column document by document. */
class ColumnWriter {
  readonly #known = new Map<string, number>();
  readonly #starts: Uint32Array;
  readonly #ids: Uint32Array;
  #documents = 0;
  #used = 0;

  constructor(documents: number, mostIds: number) {
    this.#starts = new Uint32Array(documents + 1);
    this.#ids = new Uint32Array(mostIds);
  }

  copy({ values, starts, ids }: Column, doc: number): void {
    const end = starts[doc + 1] as number;
    for (let at = starts[doc] as number; at < end; at++) {
      const value = values[ids[at] as number] as string;
      let id = this.#known.get(value);
      if (id === undefined) this.#known.set(value, (id = this.#known.size));
      this.#ids[this.#used++] = id;
    }
  }

  endDocument(): void {
    this.#starts[++this.#documents] = this.#used;
  }

  finish(): Column {
    const values = [...this.#known.keys()];
    return { values, starts: this.#starts, ids: this.#ids.slice(0, this.#used) };
  }
}
