import { sortInSlices, type Sliced } from "#kernel/internal";
import type { SearchDocument } from "../../contract.js";
import { normalizeText } from "../../query/terms.js";
import { ColumnBuilder, columnOf } from "./columns.js";
import type { Column } from "./columns.js";
import { ForwardIndex } from "./forward-index.js";
import { createSegment, hashText, toDay } from "./segment.js";
import type { Heads, Segment } from "./segment.js";
import type { Slots } from "./slots.js";
import { TermTable } from "./term-table.js";

/** Builds a segment: documents are added one by one, then inverted into postings by term. */
export class SegmentBuilder {
  readonly #slots: Slots;
  readonly #table = new TermTable();
  readonly #forward = new ForwardIndex();
  readonly #routes: string[] = [];
  readonly #titles: string[] = [];
  readonly #keys: string[] = [];
  readonly #days: number[] = [];
  readonly #columns = new Map<string, ColumnBuilder>();

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  add(document: SearchDocument): void {
    this.#routes.push(document.route);
    this.#titles.push(document.title);
    this.#keys.push(normalizeText(document.title));
    this.#days.push(toDay(document.date));
    this.#forward.addTitle(this.#termsOf(document.title));
    this.#forward.addBody(this.#termsOf(document.body));
    this.#addExtras(document);
    this.#forward.endDocument();
    this.#addValues(document);
  }

  #addExtras({ fields, taxonomy }: SearchDocument): void {
    for (const name of Object.keys(fields))
      this.#forward.addExtra(this.#termsOf(fields[name] ?? ""), this.#slots.ofField(name));
    let position = 0;
    for (const values of Object.values(taxonomy)) {
      for (const value of values)
        this.#forward.addExtra(this.#termsOf(value), this.#slots.ofValue(position++));
    }
  }

  #addValues({ template, lang, access, taxonomy, facets }: SearchDocument): void {
    this.#addColumn("template", [template]);
    this.#addColumn("lang", [lang]);
    this.#addColumn("access", [access]);
    for (const name of Object.keys(taxonomy))
      this.#addColumn(columnOf.taxonomy(name), taxonomy[name] ?? []);
    for (const field of Object.keys(facets))
      this.#addColumn(columnOf.facet(field), facets[field] ?? []);
  }

  #addColumn(name: string, values: readonly string[]): void {
    let column = this.#columns.get(name);
    if (!column) this.#columns.set(name, (column = new ColumnBuilder()));
    column.add(this.#routes.length - 1, values);
  }

  #termsOf(text: string): Uint32Array {
    const terms = this.#table.scan(text);
    this.#forward.makeRoom(this.#table.size);
    return terms;
  }

  /** The segment. The builder must not be used afterwards. */
  *finish(): Sliced<Segment> {
    const order = yield* this.#documentOrder();
    const heads = yield* this.#heads(order);
    const columns = new Map<string, Column>();
    for (const [name, column] of this.#columns) {
      columns.set(name, column.finish(order));
      yield;
    }
    const sorted = yield* this.#table.sorted();
    const terms = yield* this.#terms(sorted);
    const lists = yield* this.#forward.invert(sorted, order);
    return createSegment({ heads, postings: { terms, ...lists }, columns });
  }

  *#terms(sorted: Uint32Array): Sliced<string[]> {
    const terms: string[] = [];
    for (let at = 0; at < sorted.length; at++) {
      terms.push(this.#table.term(sorted[at] as number));
      if (at % 4096 === 0) yield;
    }
    return terms;
  }

  /** The properties of each document, in order. */
  *#heads(order: Uint32Array): Sliced<Heads> {
    const routes: string[] = [];
    const titles: string[] = [];
    const keys: string[] = [];
    const titleHashes = new Uint32Array(order.length);
    const dates = new Int32Array(order.length);
    const byRoute = new Map<string, number>();
    for (let at = 0; at < order.length; at++) {
      const old = order[at] as number;
      const key = this.#keys[old] as string;
      const route = this.#routes[old] as string;
      routes.push(route);
      titles.push(this.#titles[old] as string);
      keys.push(key);
      titleHashes[at] = hashText(key);
      dates[at] = this.#days[old] as number;
      byRoute.set(route, at);
      if (at % 8192 === 0) yield;
    }
    const titleOrder = yield* orderByKey(keys);
    return { size: order.length, routes, titles, titleHashes, titleOrder, dates, byRoute };
  }

  *#documentOrder(): Sliced<Uint32Array> {
    const compare = (a: number, b: number): number =>
      (this.#days[b] ?? 0) - (this.#days[a] ?? 0) ||
      compareText(this.#routes[a] ?? "", this.#routes[b] ?? "");
    return Uint32Array.from(yield* sortInSlices([...this.#routes.keys()], compare));
  }
}

/** Numbers of the keys in their order. */
function* orderByKey(keys: readonly string[]): Sliced<Uint32Array> {
  const compare = (a: number, b: number): number => compareText(keys[a] ?? "", keys[b] ?? "");
  return Uint32Array.from(yield* sortInSlices([...keys.keys()], compare));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
