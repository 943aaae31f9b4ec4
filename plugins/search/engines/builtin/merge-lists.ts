import type { Sliced } from "#kernel/internal";
import { gone } from "./numbering.js";
import type { Numbering, Pair } from "./numbering.js";
import { OWN_MASK, POSTING_BITS } from "./segment.js";
import type { Postings, Segment } from "./segment.js";

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
