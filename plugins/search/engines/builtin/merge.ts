import type { Sliced } from "#kernel/internal";
import { normalizeText } from "../../query/terms.js";
import { mergeColumns } from "./merge-columns.js";
import { mergeLists } from "./merge-lists.js";
import { gone, renumber } from "./numbering.js";
import type { Numbering, Pair } from "./numbering.js";
import { createSegment } from "./segment.js";
import type { Heads, Segment } from "./segment.js";

const STEP_DOCUMENTS = 512;

/** Merges two segments without their removed documents. */
export function* mergeSegments(pair: Pair): Sliced<Segment> {
  const numbering = yield* renumber(pair);
  const heads = yield* mergeHeads(pair, numbering);
  const postings = yield* mergeLists(pair, numbering);
  const columns = yield* mergeColumns(pair, numbering);
  return createSegment({ heads, postings, columns });
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
