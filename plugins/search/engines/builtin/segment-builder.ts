import { sortInSlices, type Sliced } from "#lib/concurrency";
import type { SearchDocument } from "../../contract.js";
import { MAX_BODY_OCCURRENCES } from "../../query/score.js";
import { normalizeText } from "../../query/terms.js";
import {
  ColumnBuilder,
  columnOf,
  type Column,
  createSegment,
  hashText,
  toDay,
  type Heads,
  type Segment,
  BODY_MASK,
  OWN_MASK,
  POSTING_BITS,
  TITLE_BIT,
  type Slots,
} from "./segment.js";
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
    return createSegment(heads, { terms, ...lists }, columns);
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

/** Set for every term of the current document. */
const MET_BIT = 16;
const STEP_DOCUMENTS = 256;
const firstChunk = 1 << 10;
const chunkLength = 1 << 16;

/** The part of a segment that inverting the forward index produces. */
type Postings = Pick<Segment, "starts" | "postings" | "extraStarts" | "extraDocs" | "extraSlots">;

/**
 * Position of a document's numbers: one posting per term, then its extras, a term and a slot each.
 */
interface Entry {
  readonly chunk: Uint32Array;
  readonly from: number;
  readonly extras: number;
  readonly to: number;
}

/** Terms by document, in order of arrival; `invert` returns documents by term. */
export class ForwardIndex {
  readonly #documents: Entry[] = [];
  /** Chunks of numbers; a document never spans two chunks, so that nothing is copied. */
  #chunk = new Uint32Array(firstChunk);
  #used = 0;
  /** Per term: the number of its documents and of its extras. */
  #counts = new Uint32Array(0);
  #extraCounts = new Uint32Array(0);
  /** The current document: bits per term, the terms with bits, and the extras. */
  #bits = new Uint8Array(0);
  #terms = new Uint32Array(0);
  #met = 0;
  readonly #extras: number[] = [];
  /** Per term, the number of the last extra text that contains it. */
  #texts = 0;
  #lastText = new Uint32Array(0);

  /** Makes room for terms with numbers below `size`. */
  makeRoom(size: number): void {
    if (size <= this.#bits.length) return;
    const length = size * 2;
    this.#bits = copied(this.#bits, new Uint8Array(length));
    this.#counts = copied(this.#counts, new Uint32Array(length));
    this.#extraCounts = copied(this.#extraCounts, new Uint32Array(length));
    this.#terms = copied(this.#terms, new Uint32Array(length));
    this.#lastText = copied(this.#lastText, new Uint32Array(length));
  }

  addTitle(terms: Uint32Array): void {
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number;
      this.#bits[term] = this.#bitsOf(term) | TITLE_BIT;
    }
  }

  addBody(terms: Uint32Array): void {
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number;
      const bits = this.#bitsOf(term);
      if ((bits & BODY_MASK) < MAX_BODY_OCCURRENCES) this.#bits[term] = bits + 1;
    }
  }

  /** Each term counts once per text. */
  addExtra(terms: Uint32Array, slot: number): void {
    this.#texts += 1;
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number;
      if (this.#lastText[term] === this.#texts) continue;
      this.#lastText[term] = this.#texts;
      this.#bits[term] = this.#bitsOf(term);
      this.#extras.push(term, slot);
      this.#extraCounts[term] = (this.#extraCounts[term] as number) + 1;
    }
  }

  #bitsOf(term: number): number {
    const bits = this.#bits[term] as number;
    if (bits !== 0) return bits;
    this.#terms[this.#met++] = term;
    return MET_BIT;
  }

  endDocument(): void {
    const [terms, extras, bits, counts] = [this.#terms, this.#extras, this.#bits, this.#counts];
    const [chunk, from] = this.#room(this.#met + extras.length);
    let to = from;
    for (let at = 0; at < this.#met; at++) {
      const term = terms[at] as number;
      chunk[to++] = (term << POSTING_BITS) | ((bits[term] as number) & OWN_MASK);
      bits[term] = 0;
      counts[term] = (counts[term] as number) + 1;
    }
    const entry = { chunk, from, extras: to, to: to + extras.length };
    for (let at = 0; at < extras.length; at++) chunk[to++] = extras[at] as number;
    this.#documents.push(entry);
    this.#used = to;
    this.#met = 0;
    extras.length = 0;
  }

  #room(length: number): [chunk: Uint32Array, from: number] {
    if (this.#used + length > this.#chunk.length) {
      const next = Math.min(chunkLength, this.#chunk.length * 4);
      this.#chunk = new Uint32Array(Math.max(length, next));
      this.#used = 0;
    }
    return [this.#chunk, this.#used];
  }

  /** `sorted` has the term numbers in order; `order[new] = old` for documents. */
  *invert(sorted: Uint32Array, order: Uint32Array): Sliced<Postings> {
    const [starts, next] = startPositions(sorted, this.#counts);
    yield;
    const [extraStarts, nextExtra] = startPositions(sorted, this.#extraCounts);
    yield;
    const postings = new Uint32Array(starts[sorted.length] as number);
    const extraDocs = new Uint32Array(extraStarts[sorted.length] as number);
    const extraSlots = new Uint16Array(extraDocs.length);
    for (let doc = 0; doc < order.length; doc++) {
      const { chunk, from, extras, to } = this.#documents[order[doc] as number] as Entry;
      for (let at = from; at < extras; at++) {
        const entry = chunk[at] as number;
        const term = entry >>> POSTING_BITS;
        const offset = next[term] as number;
        next[term] = offset + 1;
        postings[offset] = ((doc << POSTING_BITS) | (entry & OWN_MASK)) >>> 0;
      }
      for (let at = extras; at < to; at += 2) {
        const term = chunk[at] as number;
        const offset = nextExtra[term] as number;
        nextExtra[term] = offset + 1;
        extraDocs[offset] = doc;
        extraSlots[offset] = chunk[at + 1] as number;
      }
      if (doc % STEP_DOCUMENTS === 0) yield;
    }
    return { starts, postings, extraStarts, extraDocs, extraSlots };
  }
}

/** Start of each term's list, by position in the order and by term number. */
function startPositions(
  sorted: Uint32Array,
  counts: Uint32Array,
): [starts: Uint32Array, next: Uint32Array] {
  const starts = new Uint32Array(sorted.length + 1);
  const next = new Uint32Array(sorted.length);
  let total = 0;
  for (let at = 0; at < sorted.length; at++) {
    const term = sorted[at] as number;
    next[term] = total;
    starts[at + 1] = total += counts[term] as number;
  }
  return [starts, next];
}

function copied<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
