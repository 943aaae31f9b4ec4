import type { Segment } from "./segment.js";
import type { Steps } from "./slices.js";

const chunkBits = 16;
const chunkLength = 1 << chunkBits;
const bitsMask = 15;

/** The part of a segment that turning the forward index around gives. */
export type Postings = Pick<
  Segment,
  "starts" | "postings" | "extraStarts" | "extraDocs" | "extraSlots"
>;

/** A growing list of numbers that is never copied: what is appended stays where it is. */
class Chunks {
  readonly #chunks: Uint32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }
  push(value: number): void {
    const at = this.#length++;
    if ((at & (chunkLength - 1)) === 0)
      this.#chunks.push(new Uint32Array(at === 0 ? 256 : chunkLength));
    let chunk = this.#chunks[at >>> chunkBits];
    if (at >>> chunkBits === 0 && chunk && at >= chunk.length) chunk = this.#widenFirst(chunk);
    if (chunk) chunk[at & (chunkLength - 1)] = value;
  }
  at(index: number): number {
    return this.#chunks[index >>> chunkBits]?.[index & (chunkLength - 1)] ?? 0;
  }
  #widenFirst(chunk: Uint32Array): Uint32Array {
    const next = new Uint32Array(Math.min(chunkLength, chunk.length * 4));
    next.set(chunk);
    return (this.#chunks[0] = next);
  }
}

/** Terms by document, as they come; `invert` makes documents by term of it. */
export class ForwardIndex {
  readonly #entries = new Chunks();
  readonly #entryEnds = new Chunks();
  readonly #extraTerms = new Chunks();
  readonly #extraSlots = new Chunks();
  readonly #extraEnds = new Chunks();

  addExtra(term: number, slot: number): void {
    this.#extraTerms.push(term);
    this.#extraSlots.push(slot);
  }

  /** Ends a document with its terms and, for each, the bits of its posting. */
  endDocument(terms: readonly number[], bits: readonly number[]): void {
    for (let at = 0; at < terms.length; at++)
      this.#entries.push(((terms[at] ?? 0) << 4) | (bits[at] ?? 0));
    this.#entryEnds.push(this.#entries.length);
    this.#extraEnds.push(this.#extraTerms.length);
  }

  /** `rank` is the sorted place of each term, `order[new] = old` the documents. */
  *invert(by: {
    rank: Uint32Array;
    order: Uint32Array;
    postingBits: number;
    stepDocuments: number;
  }): Steps<Postings> {
    const { rank, order } = by;
    const starts = yield* this.#starts(
      this.#entries,
      (value) => rank[value >>> 4] ?? 0,
      rank.length,
    );
    const extraStarts = yield* this.#starts(
      this.#extraTerms,
      (value) => rank[value] ?? 0,
      rank.length,
    );
    const postings = new Uint32Array(this.#entries.length);
    const extraDocs = new Uint32Array(this.#extraTerms.length);
    const extraSlots = new Uint16Array(this.#extraTerms.length);
    const [next, nextExtra] = [starts.slice(), extraStarts.slice()];
    for (let doc = 0; doc < order.length; doc++) {
      const old = order[doc] ?? 0;
      for (let at = endBefore(this.#entryEnds, old); at < this.#entryEnds.at(old); at++) {
        const entry = this.#entries.at(at);
        const term = rank[entry >>> 4] ?? 0;
        const place = next[term] ?? 0;
        next[term] = place + 1;
        postings[place] = ((doc << by.postingBits) | (entry & bitsMask)) >>> 0;
      }
      for (let at = endBefore(this.#extraEnds, old); at < this.#extraEnds.at(old); at++) {
        const term = rank[this.#extraTerms.at(at)] ?? 0;
        const place = nextExtra[term] ?? 0;
        nextExtra[term] = place + 1;
        extraDocs[place] = doc;
        extraSlots[place] = this.#extraSlots.at(at);
      }
      if (doc % by.stepDocuments === 0) yield;
    }
    return { starts, postings, extraStarts, extraDocs, extraSlots };
  }

  *#starts(list: Chunks, termOf: (value: number) => number, terms: number): Steps<Uint32Array> {
    const starts = new Uint32Array(terms + 1);
    for (let at = 0; at < list.length; at++) {
      const term = termOf(list.at(at));
      starts[term + 1] = (starts[term + 1] ?? 0) + 1;
      if ((at & (chunkLength - 1)) === 0) yield;
    }
    for (let term = 0; term < terms; term++)
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    return starts;
  }
}

function endBefore(ends: Chunks, at: number): number {
  return at === 0 ? 0 : ends.at(at - 1);
}
