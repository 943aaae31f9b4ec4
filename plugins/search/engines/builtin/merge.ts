import type { Sliced } from "#lib/concurrency";
import { normalizeText } from "../../query/terms.js";
import {
  createSegment,
  type Heads,
  type Segment,
  OWN_MASK,
  POSTING_BITS,
  type Postings,
  type Column,
} from "./segment.js";

const STEP_DOCUMENTS = 512;

/** Merges two segments without their removed documents. */
export function* mergeSegments(pair: Pair): Sliced<Segment> {
  const numbering = yield* renumber(pair);
  const heads = yield* mergeHeads(pair, numbering);
  const postings = yield* mergeLists(pair, numbering);
  const columns = yield* mergeColumns(pair, numbering);
  return createSegment(heads, postings, columns);
}

function* mergeHeads(pair: Pair, numbering: Numbering): Sliced<Heads> {
  const { size, sides, docs } = numbering;
  const routes: string[] = [];
  const titles: string[] = [];
  const titleHashes = new Uint32Array(size);
  const dates = new Int32Array(size);
  const byRoute = new Map<string, number>();
  for (let at = 0; at < size; at++) {
    const segment = pair[sides[at] === 0 ? 0 : 1];
    const doc = docs[at] as number;
    const route = segment.routes[doc] as string;
    routes.push(route);
    titles.push(segment.titles[doc] as string);
    titleHashes[at] = segment.titleHashes[doc] as number;
    dates[at] = segment.dates[doc] as number;
    byRoute.set(route, at);
    if (at % STEP_DOCUMENTS === 0) yield;
  }
  const titleOrder = yield* mergeTitles(pair, numbering);
  return { size, routes, titles, titleHashes, titleOrder, dates, byRoute };
}

function* mergeTitles(pair: Pair, { size, maps }: Numbering): Sliced<Uint32Array> {
  const order = new Uint32Array(size);
  const [left, right] = [new Titles(pair[0], maps[0]), new Titles(pair[1], maps[1])];
  for (let at = 0; at < size; at++) {
    const first = left.isBefore(right) ? left : right;
    order[at] = first.doc;
    first.next();
    if (at % STEP_DOCUMENTS === 0) yield;
  }
  return order;
}

/** The remaining documents of a segment, by title. */
class Titles {
  readonly #segment: Segment;
  readonly #map: Uint32Array;
  #at = -1;
  #key = "";
  /** Its number in the merged segment; `gone` at the end. */
  doc = gone;

  constructor(segment: Segment, map: Uint32Array) {
    this.#segment = segment;
    this.#map = map;
    this.next();
  }

  next(): void {
    const { size, titleOrder, titles } = this.#segment;
    this.doc = gone;
    while (this.doc === gone && ++this.#at < size) {
      const old = titleOrder[this.#at] as number;
      this.doc = this.#map[old] as number;
      if (this.doc !== gone) this.#key = normalizeText(titles[old] as string);
    }
  }

  isBefore(other: Titles): boolean {
    if (this.doc === gone || other.doc === gone) return this.doc !== gone;
    return this.#key === other.#key ? this.doc < other.doc : this.#key < other.#key;
  }
}

const STEP_TERMS = 512;

/** Merges the terms of two segments and their lists, and renumbers documents. */
export function* mergeLists([left, right]: Pair, { maps }: Numbering): Sliced<Postings> {
  const out = new ListWriter([left, right]);
  let [l, r] = [0, 0];
  for (let steps = 1; l < left.terms.length || r < right.terms.length; steps++) {
    const order = compareTerms(left.terms[l], right.terms[r]);
    const term = (order <= 0 ? left.terms[l] : right.terms[r]) as string;
    if (order <= 0) out.copy(left, l++, maps[0]);
    if (order >= 0) out.copy(right, r++, maps[1]);
    out.endTerm(term);
    if (steps % STEP_TERMS === 0) yield;
  }
  return out.finish();
}

/** Undefined sorts after every term. */
function compareTerms(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  return b === undefined || a < b ? -1 : 1;
}

/** Writes the merged lists term by term; drops terms whose documents were all removed. */
class ListWriter {
  readonly #terms: string[] = [];
  readonly #starts: Uint32Array;
  readonly #extraStarts: Uint32Array;
  readonly #postings: Uint32Array;
  readonly #extraDocs: Uint32Array;
  readonly #extraSlots: Uint16Array;
  #used = 0;
  #extraUsed = 0;

  constructor([left, right]: Pair) {
    this.#starts = new Uint32Array(left.terms.length + right.terms.length + 1);
    this.#extraStarts = new Uint32Array(this.#starts.length);
    this.#postings = new Uint32Array(left.postings.length + right.postings.length);
    this.#extraDocs = new Uint32Array(left.extraDocs.length + right.extraDocs.length);
    this.#extraSlots = new Uint16Array(this.#extraDocs.length);
  }

  copy(segment: Segment, term: number, map: Uint32Array): void {
    const { starts, postings } = segment;
    const end = starts[term + 1] as number;
    for (let at = starts[term] as number; at < end; at++) {
      const posting = postings[at] as number;
      const doc = map[posting >>> POSTING_BITS] as number;
      if (doc !== gone)
        this.#postings[this.#used++] = ((doc << POSTING_BITS) | (posting & OWN_MASK)) >>> 0;
    }
    this.#copyExtras(segment, term, map);
  }

  #copyExtras(
    { extraStarts, extraDocs, extraSlots }: Segment,
    term: number,
    map: Uint32Array,
  ): void {
    const end = extraStarts[term + 1] as number;
    for (let at = extraStarts[term] as number; at < end; at++) {
      const doc = map[extraDocs[at] as number] as number;
      if (doc === gone) continue;
      this.#extraDocs[this.#extraUsed] = doc;
      this.#extraSlots[this.#extraUsed++] = extraSlots[at] as number;
    }
  }

  endTerm(term: string): void {
    if (this.#used === this.#starts[this.#terms.length]) return;
    const end = this.#terms.push(term);
    this.#starts[end] = this.#used;
    this.#extraStarts[end] = this.#extraUsed;
  }

  finish(): Postings {
    const terms = this.#terms;
    return {
      terms,
      starts: this.#starts.slice(0, terms.length + 1),
      postings: this.#postings.slice(0, this.#used),
      extraStarts: this.#extraStarts.slice(0, terms.length + 1),
      extraDocs: this.#extraDocs.slice(0, this.#extraUsed),
      extraSlots: this.#extraSlots.slice(0, this.#extraUsed),
    };
  }
}

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
    if (at % STEP_NUMBERS === 0) yield;
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

const STEP_NUMBERS = 4096;
/** The new number of a removed document. */
export const gone = 0xffffffff;

/** Two segments to merge. */
type Pair = readonly [Segment, Segment];

/** Origin of the documents of the merged segment. */
interface Numbering {
  readonly size: number;
  /** Per new number: the index of its segment in the pair, and its number there. */
  readonly sides: Uint8Array;
  readonly docs: Uint32Array;
  /** Per segment: old number to new one, or `gone` for the removed. */
  readonly maps: readonly [Uint32Array, Uint32Array];
}

/** Numbers the remaining documents of two segments. */
export function* renumber(pair: Pair): Sliced<Numbering> {
  const [left, right] = pair;
  const sides = new Uint8Array(left.size + right.size);
  const docs = new Uint32Array(left.size + right.size);
  const maps = [
    new Uint32Array(left.size).fill(gone),
    new Uint32Array(right.size).fill(gone),
  ] as const;
  let [l, r, size] = [0, 0, 0];
  while (l < left.size || r < right.size) {
    if ((l + r) % STEP_NUMBERS === 0) yield;
    const side = comesFirst(pair, l, r) ? 0 : 1;
    const doc = side === 0 ? l++ : r++;
    if (pair[side].dead[doc] === 1) continue;
    sides[size] = side;
    docs[size] = doc;
    maps[side][doc] = size++;
  }
  return { size, sides, docs, maps };
}

/** True when document `a` of the first segment precedes document `b` of the second. */
function comesFirst([left, right]: Pair, a: number, b: number): boolean {
  if (a >= left.size) return false;
  if (b >= right.size) return true;
  const days = (right.dates[b] ?? 0) - (left.dates[a] ?? 0);
  return days !== 0 ? days < 0 : (left.routes[a] ?? "") <= (right.routes[b] ?? "");
}
