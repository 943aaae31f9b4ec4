import type { Sliced } from "#kernel/internal";
import { BODY_MASK, OWN_MASK, POSTING_BITS, TITLE_BIT } from "./segment.js";
import type { Segment } from "./segment.js";

const MAX_BODY = 5;
/** Set for every term of the current document. */
const MET_BIT = 16;
const STEP_DOCUMENTS = 256;
const firstChunk = 1 << 10;
const chunkLength = 1 << 16;

/** The part of a segment that inverting the forward index produces. */
export type Postings = Pick<
  Segment,
  "starts" | "postings" | "extraStarts" | "extraDocs" | "extraSlots"
>;

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
      if ((bits & BODY_MASK) < MAX_BODY) this.#bits[term] = bits + 1;
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
    const [starts, next] = placesOf(sorted, this.#counts);
    yield;
    const [extraStarts, nextExtra] = placesOf(sorted, this.#extraCounts);
    yield;
    const postings = new Uint32Array(starts[sorted.length] as number);
    const extraDocs = new Uint32Array(extraStarts[sorted.length] as number);
    const extraSlots = new Uint16Array(extraDocs.length);
    for (let doc = 0; doc < order.length; doc++) {
      const { chunk, from, extras, to } = this.#documents[order[doc] as number] as Entry;
      for (let at = from; at < extras; at++) {
        const entry = chunk[at] as number;
        const term = entry >>> POSTING_BITS;
        const place = next[term] as number;
        next[term] = place + 1;
        postings[place] = ((doc << POSTING_BITS) | (entry & OWN_MASK)) >>> 0;
      }
      for (let at = extras; at < to; at += 2) {
        const term = chunk[at] as number;
        const place = nextExtra[term] as number;
        nextExtra[term] = place + 1;
        extraDocs[place] = doc;
        extraSlots[place] = chunk[at + 1] as number;
      }
      if (doc % STEP_DOCUMENTS === 0) yield;
    }
    return { starts, postings, extraStarts, extraDocs, extraSlots };
  }
}

/** Start of each term's list, by position in the order and by term number. */
function placesOf(
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
