import type { Segment } from "./segment.js";

/** A document of a segment and its score. */
export interface Hit {
  readonly segment: Segment;
  readonly doc: number;
  readonly score: number;
}

/** Collects the best `limit` hits: a heap with the worst of them on top. */
export class TopHits {
  readonly #heap: Hit[] = [];
  readonly #limit: number;
  #worst = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a hit when it is among the best. */
  add(segment: Segment, doc: number, score: number): void {
    if (this.#heap.length < this.#limit) {
      this.#heap.push({ segment, doc, score });
      this.#up(this.#heap.length - 1);
    } else {
      if (score < this.#worst || this.#limit === 0) return;
      const hit = { segment, doc, score };
      const worst = this.#heap[0];
      if (!worst || !isBetter(hit, worst)) return;
      this.#heap[0] = hit;
      this.#down();
    }
    this.#worst = this.#heap.length < this.#limit ? -Infinity : (this.#heap[0]?.score ?? -Infinity);
  }

  /** The hits, best first. */
  sorted(): Hit[] {
    return [...this.#heap].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  }

  #up(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      const [low, high] = [heap[at], heap[parent]];
      if (!low || !high || !isBetter(high, low)) return;
      heap[at] = high;
      heap[parent] = low;
      at = parent;
    }
  }

  #down(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      const child = this.#worseChild(at);
      const [high, low] = [heap[at], heap[child]];
      if (!high || !low || !isBetter(high, low)) return;
      heap[at] = low;
      heap[child] = high;
      at = child;
    }
  }

  #worseChild(at: number): number {
    const [left, right] = [this.#heap[at * 2 + 1], this.#heap[at * 2 + 2]];
    return left && right && isBetter(left, right) ? at * 2 + 2 : at * 2 + 1;
  }
}

/**
 * Higher score first; then the order of equal scores, which inside a segment is the document's
 * number.
 */
export function isBetter(a: Hit, b: Hit): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.segment === b.segment) return a.doc < b.doc;
  const [left, right] = [a.segment.dates[a.doc] ?? 0, b.segment.dates[b.doc] ?? 0];
  if (left !== right) return left > right;
  return (a.segment.routes[a.doc] ?? "") < (b.segment.routes[b.doc] ?? "");
}
