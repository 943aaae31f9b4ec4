import type { Points } from "../../contract.js";
import { MAX_BODY_OCCURRENCES, toScore } from "../../query/score.js";
import { normalizeText } from "../../query/terms.js";
import {
  BODY_MASK,
  hashText,
  OWN_MASK,
  POSTING_BITS,
  termRange,
  TITLE_BIT,
  type Segment,
  type Slots,
} from "./segment.js";

/** Set for every document that matched the current term. */
const MET_BIT = 0x80000000;
/** Slots below this have a bit of their own beside the posting's four. */
const BIT_SLOTS = 27;

/** The documents of a segment that match a query's terms, and their sums. */
export interface Scored {
  /** Unique document numbers, unordered; valid up to `count`. */
  readonly docs: Uint32Array;
  readonly count: number;
  scoreOf(doc: number): number;
}

/**
 * Adds up points per document in arrays as long as the largest segment. Queries share the arrays:
 * one query runs at a time and zeroes them afterwards.
 */
export class Scorer {
  #sums = new Float64Array(0);
  #matched = new Uint8Array(0);
  #seen = new Uint32Array(0);
  #docs = new Uint32Array(0);
  #termDocs = new Uint32Array(0);
  #count = 0;
  readonly #points: Points;
  readonly #slots: Slots;
  /** Points by the low bits of a posting. */
  readonly #own = new Float64Array(OWN_MASK + 1);
  /**
   * Combines the low bits of two postings of one document and query term; body counts are limited
   * to 5.
   */
  readonly #joined = new Uint8Array((OWN_MASK + 1) ** 2);
  readonly #slotPoints = new Map<number, number>();

  constructor(points: Points, slots: Slots) {
    this.#points = points;
    this.#slots = slots;
    for (let a = 0; a <= OWN_MASK; a++) {
      this.#own[a] = (a & BODY_MASK) * points.body + (a & TITLE_BIT ? points.title : 0);
      for (let b = 0; b <= OWN_MASK; b++) {
        const body = Math.min(MAX_BODY_OCCURRENCES, (a & BODY_MASK) + (b & BODY_MASK));
        this.#joined[(a << POSTING_BITS) | b] = ((a | b) & TITLE_BIT) | body;
      }
    }
  }

  /** Scores a segment; the result is valid until `clear`. */
  score(segment: Segment, terms: readonly string[], text: string): Scored {
    this.#fit(segment.size);
    this.#count = 0;
    for (const term of terms) {
      const [from, to] = termRange(segment.terms, term);
      if (to - from === 1) this.#addTerm(segment, from);
      else if (to > from) this.#addRange(segment, from, to);
    }
    if (terms.length > 0) this.#addExactTitles(segment, text);
    const [sums, matched] = [this.#sums, this.#matched];
    const many = terms.length > 1 ? terms.length : Infinity;
    return {
      docs: this.#docs,
      count: this.#count,
      scoreOf: (doc) => toScore(sums[doc] ?? 0, matched[doc] === many),
    };
  }

  /** Zeroes the arrays after `score`. */
  clear(): void {
    for (let at = 0; at < this.#count; at++) {
      const doc = this.#docs[at] ?? 0;
      this.#sums[doc] = 0;
      this.#matched[doc] = 0;
    }
    this.#count = 0;
  }

  #fit(size: number): void {
    if (this.#sums.length >= size) return;
    this.#sums = new Float64Array(size);
    this.#matched = new Uint8Array(size);
    this.#seen = new Uint32Array(size);
    this.#docs = new Uint32Array(size);
    this.#termDocs = new Uint32Array(size);
  }

  /** One indexed term: every document occurs once, so its points are added directly. */
  #addTerm(segment: Segment, term: number): void {
    const { postings } = segment;
    const [sums, matched, docs, own] = [this.#sums, this.#matched, this.#docs, this.#own];
    const end = segment.starts[term + 1] ?? 0;
    let count = this.#count;
    for (let at = segment.starts[term] ?? 0; at < end; at++) {
      const posting = postings[at] as number;
      const doc = posting >>> POSTING_BITS;
      if (matched[doc] === 0) docs[count++] = doc;
      matched[doc] = (matched[doc] as number) + 1;
      sums[doc] = (sums[doc] as number) + (own[posting & OWN_MASK] as number);
    }
    this.#count = count;
    const lastExtra = segment.extraStarts[term + 1] ?? 0;
    for (let at = segment.extraStarts[term] ?? 0; at < lastExtra; at++) {
      const doc = segment.extraDocs[at] as number;
      sums[doc] = (sums[doc] as number) + this.#pointsOf(segment.extraSlots[at] as number);
    }
  }

  /**
   * Several indexed terms for one query term: occurrences add up per document before they count.
   */
  #addRange(segment: Segment, from: number, to: number): void {
    const { postings } = segment;
    const [seen, termDocs, joined] = [this.#seen, this.#termDocs, this.#joined];
    const end = segment.starts[to] ?? 0;
    let met = 0;
    for (let at = segment.starts[from] ?? 0; at < end; at++) {
      const posting = postings[at] as number;
      const doc = posting >>> POSTING_BITS;
      const before = seen[doc] as number;
      if (before === 0) {
        termDocs[met++] = doc;
        seen[doc] = MET_BIT | (posting & OWN_MASK);
      } else {
        seen[doc] =
          MET_BIT |
          (joined[((before & OWN_MASK) << POSTING_BITS) | (posting & OWN_MASK)] as number);
      }
    }
    this.#addExtras(segment, from, to);
    this.#settle(met);
  }

  #settle(met: number): void {
    const [seen, sums, matched, docs, own] = [
      this.#seen,
      this.#sums,
      this.#matched,
      this.#docs,
      this.#own,
    ];
    let count = this.#count;
    for (let at = 0; at < met; at++) {
      const doc = this.#termDocs[at] as number;
      if (matched[doc] === 0) docs[count++] = doc;
      matched[doc] = (matched[doc] as number) + 1;
      sums[doc] = (sums[doc] as number) + (own[(seen[doc] as number) & OWN_MASK] as number);
      seen[doc] = 0;
    }
    this.#count = count;
  }

  /** A place counts once per query term, even if several of its words match. */
  #addExtras(segment: Segment, from: number, to: number): void {
    const [seen, sums] = [this.#seen, this.#sums];
    const beyond = new Set<number>();
    const end = segment.extraStarts[to] ?? 0;
    for (let at = segment.extraStarts[from] ?? 0; at < end; at++) {
      const doc = segment.extraDocs[at] as number;
      const slot = segment.extraSlots[at] as number;
      if (slot < BIT_SLOTS) {
        const bit = 1 << (slot + POSTING_BITS);
        if (((seen[doc] as number) & bit) !== 0) continue;
        seen[doc] = (seen[doc] as number) | bit;
      } else {
        const key = doc * 0x10000 + slot;
        if (beyond.has(key)) continue;
        beyond.add(key);
      }
      sums[doc] = (sums[doc] as number) + this.#pointsOf(slot);
    }
  }

  #addExactTitles(segment: Segment, text: string): void {
    const whole = normalizeText(text);
    const hash = hashText(whole);
    for (let at = 0; at < this.#count; at++) {
      const doc = this.#docs[at] as number;
      if (segment.titleHashes[doc] !== hash || normalizeText(segment.titles[doc] ?? "") !== whole)
        continue;
      this.#sums[doc] = (this.#sums[doc] as number) + this.#points.exactTitle;
    }
  }

  #pointsOf(slot: number): number {
    const cached = this.#slotPoints.get(slot);
    if (cached !== undefined) return cached;
    const field = this.#slots.field(slot);
    const points = field === null ? this.#points.taxonomy : this.#points.field(field);
    this.#slotPoints.set(slot, points);
    return points;
  }
}
