import type { SearchDocument } from "../../contract.js";
import { normalizeText } from "../../terms.js";
import { ColumnBuilder, columnValues } from "./columns.js";
import type { Column } from "./columns.js";
import { ForwardIndex } from "./forward-index.js";
import { bodyMask, hashText, postingBits, titleBit, toDay } from "./segment.js";
import type { Segment } from "./segment.js";
import { sortInSteps } from "./slices.js";
import type { Steps } from "./slices.js";
import type { Slots } from "./slots.js";
import { TermTable } from "./term-table.js";

const mostBody = 5;
const stepDocuments = 256;

type Heads = Pick<
  Segment,
  "size" | "routes" | "titles" | "titleHashes" | "titleOrder" | "dates" | "byRoute"
>;

/** Makes a segment: documents are added one by one, then turned around into postings by term. */
export class SegmentBuilder {
  readonly #slots: Slots;
  readonly #table: TermTable;
  readonly #forward = new ForwardIndex();
  readonly #routes: string[] = [];
  readonly #titles: string[] = [];
  readonly #keys: string[] = [];
  readonly #days: number[] = [];
  readonly #columns = new Map<string, ColumnBuilder>();
  readonly #seen = new Set<number>();
  /** Per term: place of its posting in the current document plus one, valid when stamped. */
  #places = new Uint32Array(1024);
  #stamps = new Uint32Array(1024);
  #bits: number[] = [];
  #terms: number[] = [];

  constructor(slots: Slots, expectedTerms = 1 << 15) {
    this.#slots = slots;
    this.#table = new TermTable(expectedTerms);
  }

  /** Number of documents so far. */
  get size(): number {
    return this.#routes.length;
  }

  add(document: SearchDocument): void {
    const at = this.#routes.length;
    const key = normalizeText(document.title);
    this.#routes.push(document.route);
    this.#titles.push(document.title);
    this.#keys.push(key);
    this.#days.push(toDay(document.date));
    this.#terms = [];
    this.#bits = [];
    this.#addTexts(document, at + 1);
    this.#addExtras(document, at + 1);
    this.#forward.endDocument(this.#terms, this.#bits);
    for (const [name, values] of columnValues(document)) this.#column(name).add(at, values);
  }

  #addTexts(document: SearchDocument, stamp: number): void {
    this.#table.scan(document.title, (term) => {
      const place = this.#place(term, stamp);
      this.#bits[place] = (this.#bits[place] ?? 0) | titleBit;
    });
    this.#table.scan(document.body, (term) => {
      const place = this.#place(term, stamp);
      const bits = this.#bits[place] ?? 0;
      if ((bits & bodyMask) < mostBody) this.#bits[place] = bits + 1;
    });
  }

  #addExtras(document: SearchDocument, stamp: number): void {
    for (const [name, text] of Object.entries(document.fields))
      this.#extra(text, this.#slots.ofField(name), stamp);
    let position = 0;
    for (const values of Object.values(document.taxonomy)) {
      for (const value of values) this.#extra(value, this.#slots.ofValue(position++), stamp);
    }
  }

  #extra(text: string, slot: number, stamp: number): void {
    this.#seen.clear();
    this.#table.scan(text, (term) => {
      this.#place(term, stamp);
      if (this.#seen.has(term)) return;
      this.#seen.add(term);
      this.#forward.addExtra(term, slot);
    });
  }

  #place(term: number, stamp: number): number {
    if (term >= this.#stamps.length) this.#widen(term);
    if (this.#stamps[term] === stamp) return this.#places[term] ?? 0;
    this.#stamps[term] = stamp;
    const place = this.#terms.push(term) - 1;
    this.#bits.push(0);
    return (this.#places[term] = place);
  }

  #widen(term: number): void {
    const length = Math.max(term + 1, this.#stamps.length * 2);
    const [stamps, places] = [new Uint32Array(length), new Uint32Array(length)];
    stamps.set(this.#stamps);
    places.set(this.#places);
    this.#stamps = stamps;
    this.#places = places;
  }

  #column(name: string): ColumnBuilder {
    let column = this.#columns.get(name);
    if (!column) this.#columns.set(name, (column = new ColumnBuilder()));
    return column;
  }

  /** The segment. The builder must not be used afterwards. */
  *finish(): Steps<Segment> {
    const order = yield* this.#documentOrder();
    const sorted = yield* this.#sortedTerms();
    const rank = new Uint32Array(sorted.length);
    sorted.forEach(({ id }, at) => (rank[id] = at));
    yield;
    const columns = new Map<string, Column>();
    for (const [name, column] of this.#columns) {
      columns.set(name, column.finish(order));
      yield;
    }
    const postings = yield* this.#forward.invert({ rank, order, postingBits, stepDocuments });
    const terms = sorted.map(({ term }) => term);
    yield;
    return {
      ...(yield* this.#heads(order)),
      terms,
      ...postings,
      columns,
      dead: new Uint8Array(order.length),
      deadCount: 0,
    };
  }

  /** What is known of each document, in their order. */
  *#heads(order: Uint32Array): Steps<Heads> {
    const routes = pick(this.#routes, order);
    const titles = pick(this.#titles, order);
    yield;
    const keys = pick(this.#keys, order);
    const titleOrder = yield* orderByKey(keys);
    const titleHashes = new Uint32Array(order.length);
    const byRoute = new Map<string, number>();
    for (const [at, key] of keys.entries()) {
      titleHashes[at] = hashText(key);
      byRoute.set(routes[at] ?? "", at);
      if (at % 8192 === 0) yield;
    }
    const dates = Int32Array.from(order, (old) => this.#days[old] ?? 0);
    return { size: order.length, routes, titles, titleHashes, titleOrder, dates, byRoute };
  }

  *#documentOrder(): Steps<Uint32Array> {
    const compare = (a: number, b: number): number =>
      (this.#days[b] ?? 0) - (this.#days[a] ?? 0) ||
      compareText(this.#routes[a] ?? "", this.#routes[b] ?? "");
    return Uint32Array.from(yield* sortInSteps([...this.#routes.keys()], compare));
  }

  *#sortedTerms(): Steps<{ id: number; term: string }[]> {
    const terms: { id: number; term: string }[] = [];
    for (let id = 0; id < this.#table.size; id++) {
      terms.push({ id, term: this.#table.term(id) });
      if (id % 4096 === 0) yield;
    }
    return yield* sortInSteps(terms, (a, b) => compareText(a.term, b.term));
  }
}

/** Numbers of the keys in their order. */
export function* orderByKey(keys: readonly string[]): Steps<Uint32Array> {
  const compare = (a: number, b: number): number => compareText(keys[a] ?? "", keys[b] ?? "");
  return Uint32Array.from(yield* sortInSteps([...keys.keys()], compare));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function pick<T>(items: readonly T[], order: Uint32Array): T[] {
  return Array.from(order, (old) => items[old] as T);
}
