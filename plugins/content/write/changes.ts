/** The differences between two generations, and the read tags they invalidate. */
import type { ContentChanges, PageEntry } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";

const DAY_MS = 24 * 3600 * 1000;

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
  for (const pair of pairs) addTags(pair, tags);
  if (pairs.some(isOfAnotherDay)) tags.add("modified");
  return tags;
}

/** Scheduled changes: pages whose schedule has a boundary in (from, to]. */
export function scheduledChanges(index: ContentIndex, due: readonly PageEntry[]): ContentChanges {
  const tags = new Set<string>();
  for (const entry of due) {
    addTags([undefined, entry], tags);
    tags.add(`page:${entry.sourcePath}`);
  }
  return { generation: index.id, created: [], updated: due, deleted: [], tags };
}

function pairsOf(before: ContentIndex, after: ContentIndex): Pair[] {
  const [old, now] = differing(before.entries, after.entries);
  const pairs: Pair[] = [];
  for (const entry of now) {
    const known = before.bySource.get(entry.sourcePath);
    if (known !== entry) pairs.push([known, entry]);
  }
  for (const entry of old) {
    if (!after.bySource.has(entry.sourcePath)) pairs.push([entry, undefined]);
  }
  return pairs;
}

/** Strips the common start and end of both lists: one new page shifts all pages after it. */
function differing(
  before: readonly PageEntry[],
  after: readonly PageEntry[],
): [before: readonly PageEntry[], after: readonly PageEntry[]] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

function addTags([before, after]: Pair, tags: Set<string>): void {
  for (const entry of [before, after]) {
    if (entry !== undefined) tags.add(`page:${entry.sourcePath}`);
  }
  if (before !== undefined && after !== undefined && metadata(before) === metadata(after)) return;
  tags.add("list");
  for (const entry of [before, after]) if (entry !== undefined) addPlaceTags(entry, tags);
  if (navigation(before) !== navigation(after)) tags.add("nav");
  if (terms(before) !== terms(after)) tags.add("taxonomy");
}

function addPlaceTags(entry: PageEntry, tags: Set<string>): void {
  tags.add(`list:${entry.parent ?? "/"}`).add(`route:${entry.route}`);
  for (const alias of entry.aliases) tags.add(`route:${alias}`);
}

/** True when the day of the last change differs: sitemaps contain the day. */
function isOfAnotherDay([before, after]: Pair): boolean {
  if (before === undefined || after === undefined) return false;
  return Math.floor(before.mtimeMs / DAY_MS) !== Math.floor(after.mtimeMs / DAY_MS);
}

/** Everything of an entry that lists can show: all but the body. */
function metadata(entry: PageEntry): string {
  return JSON.stringify({ ...entry, hash: "", mtimeMs: 0, size: 0, bodyOffset: 0 });
}

function visibility(entry: PageEntry): unknown[] {
  const { published, status, publishAt, unpublishAt, roles, routable, isModule, lang } = entry;
  return [published, status, publishAt, unpublishAt, roles, routable, isModule, lang];
}

function navigation(entry: PageEntry | undefined): string {
  if (entry === undefined || !entry.visible) return "";
  const { route, navTitle, title, order, isOrdered, depth, template } = entry;
  const shown = [route, navTitle, title, order, isOrdered, depth, template];
  return JSON.stringify([visibility(entry), entry.frontmatter.redirect, ...shown]);
}

function terms(entry: PageEntry | undefined): string {
  if (entry === undefined || Object.keys(entry.taxonomy).length === 0) return "";
  return JSON.stringify([
    ...[visibility(entry), entry.taxonomy, entry.title],
    entry.frontmatter.redirect,
  ]);
}
