/** Segments of the built-in search engine for tests. */
import { runAtOnce } from "#lib/concurrency";
import type { SearchDocument } from "../../../plugins/search/contract.js";
import { type Segment, Slots } from "../../../plugins/search/engines/builtin/segment.js";
import { SegmentBuilder } from "../../../plugins/search/engines/builtin/segment-builder.js";

/** A segment of these documents, which may share its slots with others. */
export function segmentOf(documents: readonly SearchDocument[], slots = new Slots()): Segment {
  const builder = new SegmentBuilder(slots);
  for (const document of documents) builder.add(document);
  return runAtOnce(builder.finish());
}

/** Marks a document of a segment as removed. */
export function bury(segment: Segment, route: string): void {
  const doc = segment.byRoute.get(route);
  if (doc === undefined || segment.dead[doc] === 1) return;
  segment.dead[doc] = 1;
  segment.deadCount += 1;
}
