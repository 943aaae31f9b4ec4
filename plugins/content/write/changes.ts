/** The differences between two generations, and the read tags they invalidate. */
import type { ContentChanges, PageEntry } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import { differingSpans } from "../index/tree/spans.js";
import { tagsOfPage } from "./tree-state.js";

type Pair = readonly [before: PageEntry | undefined, after: PageEntry | undefined];

/** The changes from one generation to the next; `media` are folders whose files have changed. */
export function changesBetween(
  before: ContentIndex,
  after: ContentIndex,
  media: Iterable<string> = [],
): ContentChanges {
  const pairs = pairsOf(before, after);
  const tags = tagsOf(pairs);
  for (const folder of media) tags.add(`media:${folder}`);
  return {
    generation: after.id,
    created: pairs.flatMap(([old, now]) => (old === undefined && now !== undefined ? [now] : [])),
    updated: pairs.flatMap(([old, now]) => (old !== undefined && now !== undefined ? [now] : [])),
    deleted: pairs.flatMap(([old, now]) => (old !== undefined && now === undefined ? [old] : [])),
    tags,
  };
}

/** The read tags that these page changes invalidate. */
export function tagsOf(pairs: readonly Pair[]): Set<string> {
  const tags = new Set<string>();
  for (const [before, after] of pairs) tagsOfPage(before, after, tags);
  return tags;
}

/** Scheduled changes: pages whose schedule has a boundary in (from, to]. */
export function scheduledChanges(index: ContentIndex, due: readonly PageEntry[]): ContentChanges {
  const tags = new Set<string>();
  for (const entry of due) tagsOfPage(undefined, entry, tags);
  return { generation: index.id, created: [], updated: due, deleted: [], tags };
}

function pairsOf(before: ContentIndex, after: ContentIndex): Pair[] {
  const [old, now] = differingSpans(before.entries, after.entries);
  const pairs: Pair[] = [];
  for (const entry of after.entries.slice(now.start, now.end)) {
    const known = before.bySource.get(entry.sourcePath);
    if (known !== entry) pairs.push([known, entry]);
  }
  for (const entry of before.entries.slice(old.start, old.end)) {
    if (!after.bySource.has(entry.sourcePath)) pairs.push([entry, undefined]);
  }
  return pairs;
}
