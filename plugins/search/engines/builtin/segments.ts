import { createPause, runAtOnce, runInSlices, START_SLICE_MS } from "#lib/concurrency";
import type { SearchDocument } from "../../contract.js";
import { mergeSegments } from "./merge.js";
import type { Segment, Slots } from "./segment.js";
import { SegmentBuilder } from "./segment-builder.js";

/** Up to this many documents, segments merge synchronously. */
const MERGED_AT_ONCE = 128;
const MAX_SEGMENTS = 12;
/** Share of changed or removed documents above which all segments merge into one. */
const WORTH_MERGING = 0.1;
const MIN_MERGED = 1024;

/** The segments of an index: a large one and later changes, merged as they accumulate. */
export class Segments {
  #list: readonly Segment[];
  #merging: Promise<void> | null = null;
  /** The segments that a running merge will replace. */
  #leaving: readonly Segment[] = [];
  #closed = false;
  readonly slots: Slots;

  constructor(list: readonly Segment[], slots: Slots) {
    this.#list = list;
    this.slots = slots;
  }

  /** Largest first. */
  get list(): readonly Segment[] {
    return this.#list;
  }

  /** Builds from a stream in slices of a few milliseconds. */
  static async build(documents: AsyncIterable<SearchDocument>, slots: Slots): Promise<Segments> {
    const builder = new SegmentBuilder(slots);
    const pause = createPause(START_SLICE_MS);
    const routes = new Set<string>();
    for await (const document of documents) {
      if (routes.has(document.route)) continue;
      routes.add(document.route);
      builder.add(document);
      await pause();
    }
    return new Segments([await runInSlices(builder.finish(), pause)], slots);
  }

  /** Removes documents, then adds others; synchronous. */
  update(upsert: readonly SearchDocument[], remove: readonly string[]): void {
    for (const route of remove) this.#remove(route);
    const last = new Map(upsert.map((document) => [document.route, document]));
    if (last.size > 0) {
      const builder = new SegmentBuilder(this.slots);
      for (const document of last.values()) {
        this.#remove(document.route);
        builder.add(document);
      }
      this.#list = [...this.#list, runAtOnce(builder.finish())];
    }
    this.#mergeSmall();
    this.#mergeLater();
  }

  /** The segment and number of a document, or null. */
  find(route: string): { segment: Segment; doc: number } | null {
    for (const segment of this.#list) {
      const doc = segment.byRoute.get(route);
      if (doc !== undefined && segment.dead[doc] === 0) return { segment, doc };
    }
    return null;
  }

  /** Resolves when no merge is running. */
  async settled(): Promise<void> {
    while (this.#merging) await this.#merging;
  }

  close(): void {
    this.#closed = true;
  }

  #remove(route: string): void {
    const position = this.find(route);
    if (!position) return;
    position.segment.dead[position.doc] = 1;
    position.segment.deadCount += 1;
  }

  /** Like a binary counter: merges the last two segments while they have a similar size. */
  #mergeSmall(): void {
    for (;;) {
      const [before, last] = this.#list.slice(1).slice(-2);
      if (!before || !last || this.#leaving.includes(before) || this.#leaving.includes(last))
        return;
      if (before.size > last.size * 2 || before.size + last.size > MERGED_AT_ONCE) return;
      this.#list = [...this.#list.slice(0, -2), runAtOnce(mergeSegments([before, last]))];
    }
  }

  #mergeLater(): void {
    if (this.#merging || this.#closed) return;
    const [main, ...changes] = this.#list;
    if (!main || changes.length === 0) return;
    const changed = changes.reduce((sum, segment) => sum + segment.size, main.deadCount);
    const all = changed > Math.max(MIN_MERGED, main.size * WORTH_MERGING);
    if (!all && this.#list.length <= MAX_SEGMENTS) return;
    this.#leaving = all ? this.#list : changes;
    this.#merging = this.#merge(this.#leaving).finally(() => {
      this.#merging = null;
      this.#leaving = [];
    });
  }

  /**
   * Merges old segments while searches run; documents removed meanwhile are also removed from the
   * result.
   */
  async #merge(old: readonly Segment[]): Promise<void> {
    const before = old.map((segment) => segment.dead.slice());
    let merged = old.at(-1);
    for (const segment of old.slice(0, -1).reverse()) {
      if (merged) merged = await runInSlices(mergeSegments([segment, merged]));
    }
    if (!merged || this.#closed) return;
    for (const [at, segment] of old.entries()) bury(segment, before[at], merged);
    const others = this.#list.filter((segment) => !old.includes(segment));
    this.#list = [...others, merged].sort((a, b) => b.size - a.size);
  }
}

/** Marks in `merged` what was removed from `segment` after its tombstones were copied. */
function bury(segment: Segment, before: Uint8Array | undefined, merged: Segment): void {
  segment.dead.forEach((dead, doc) => {
    if (dead === 0 || before?.[doc] === 1) return;
    const at = merged.byRoute.get(segment.routes[doc] ?? "");
    if (at === undefined || merged.dead[at] === 1) return;
    merged.dead[at] = 1;
    merged.deadCount += 1;
  });
}
