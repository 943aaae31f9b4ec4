/** The differences between two generations, and the tags they invalidate: one rule within a process and between exports. */
import { hash } from "node:crypto";
import type { Sliced } from "#lib/concurrency";
import type { ContentChanges, PageEntry, PageState, TreeState } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import { differingSpans } from "../index/tree-order.js";
import { isListable } from "../index/orders.js";

type Pair = readonly [before: PageEntry | undefined, after: PageEntry | undefined];

/** The changes from one generation to the next; `media` are folders whose files have changed. */
export function* changesBetween(
  before: ContentIndex,
  after: ContentIndex,
  media: Iterable<string> = [],
): Sliced<ContentChanges> {
  const pairs = pairEntries(before, after);
  yield;
  const tags = new Set<string>();
  for (const pair of pairs) {
    tagsOfPage(...pair, tags);
    yield;
  }
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
export function changeTags(pairs: readonly Pair[]): Set<string> {
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

function pairEntries(before: ContentIndex, after: ContentIndex): Pair[] {
  const [old, now] = differingSpans(before.entries, after.entries);
  const pairs: Pair[] = [];
  for (const entry of after.entries.slice(now.start, now.end)) {
    const former = before.bySource.get(entry.sourcePath);
    if (former !== entry) pairs.push([former, entry]);
  }
  for (const entry of before.entries.slice(old.start, old.end)) {
    if (!after.bySource.has(entry.sourcePath)) pairs.push([entry, undefined]);
  }
  return pairs;
}

const [BYTES, DAY, STANDING, METADATA, NAVIGATION, TERMS, PLACES] = [0, 1, 2, 3, 4, 5, 6] as const;
type Part = typeof BYTES | typeof METADATA | typeof NAVIGATION | typeof TERMS;

const DAY_MS = 24 * 3600 * 1000;

/**
 * The state of a tree. `last`: the state of an earlier export with the same settings; reused for
 * pages with the same bytes and position.
 */
export function treeState(
  entries: readonly PageEntry[],
  last: TreeState = new Map<string, PageState>(),
): TreeState {
  return new Map(
    entries.map((entry) => [entry.sourcePath, pageState(entry, last.get(entry.sourcePath))]),
  );
}

/** Tags that change from one state to the next. */
export function changedTags(before: TreeState, after: TreeState): Set<string> {
  const tags = new Set<string>();
  for (const [path, now] of after) {
    const old = before.get(path);
    if (old !== now) addTags(path, [old, now], tags);
  }
  for (const [path, old] of before) {
    if (!after.has(path)) addTags(path, [old, undefined], tags);
  }
  return tags;
}

/** The tags of one page that changed; undefined: it did not exist, or no longer does. */
function tagsOfPage(
  before: PageEntry | undefined,
  after: PageEntry | undefined,
  tags: Set<string>,
): void {
  for (const path of new Set([before?.sourcePath, after?.sourcePath])) {
    if (path !== undefined) tags.add(`page:${path}`);
  }
  const state = (entry?: PageEntry) => (entry === undefined ? undefined : pageState(entry));
  addTags(after?.sourcePath ?? before?.sourcePath ?? "", [state(before), state(after)], tags);
}

type StatePair = readonly [old: PageState | undefined, now: PageState | undefined];

function addTags(path: string, [old, now]: StatePair, tags: Set<string>): void {
  if (isOther([old, now], BYTES) || isOther([old, now], METADATA)) tags.add(`page:${path}`);
  // A new or deleted page invalidates the lists anyway.
  if (old !== undefined && now !== undefined && old[DAY] !== now[DAY]) tags.add("modified");
  if (!isOther([old, now], METADATA)) return;
  tags.add("list");
  for (const tag of [old, now].flatMap((state) => [...(state?.[PLACES] ?? [])])) tags.add(tag);
  if (isOther([old, now], NAVIGATION)) tags.add("nav");
  if (isOther([old, now], TERMS)) tags.add("taxonomy");
}

/** A missing page has neither navigation nor terms. */
function isOther([old, now]: StatePair, part: Part): boolean {
  return (old?.[part] ?? "") !== (now?.[part] ?? "");
}

function pageState(entry: PageEntry, last?: PageState): PageState {
  const day = Math.floor(entry.mtimeMs / DAY_MS);
  const standing = formatStanding(entry);
  const isKnown = last?.[BYTES] === entry.hash && last[DAY] === day && last[STANDING] === standing;
  if (isKnown) return last;
  const metadata = short(
    JSON.stringify({ ...entry, hash: "", mtimeMs: 0, size: 0, bodyOffset: 0 }),
  );
  const places = [`list:${entry.parent ?? "/"}`, `route:${entry.route}`];
  for (const alias of entry.aliases) places.push(`route:${alias}`);
  return [entry.hash, day, standing, metadata, navigation(entry), terms(entry), places];
}

/**
 * The values that a page gets from the tree around it; the rest of an entry follows from its bytes.
 */
function formatStanding(entry: PageEntry): string {
  const { folder, route, url, format, template, title, navTitle, order, depth, parent } = entry;
  const { published, status, publishAt, unpublishAt, roles, routable, isModule, lang } = entry;
  const standing = [folder, route, url, format, template, title, navTitle, order, depth, parent];
  const visible = [published, status, publishAt, unpublishAt, routable, isModule, lang];
  const rule = roles === null ? "" : JSON.stringify(roles);
  const listed = [entry.visible, entry.isUnlisted, entry.isOrdered];
  // Runs for every page at every export: joining takes half the time of JSON.
  return short([...standing, ...visible, rule, ...listed].join("\0"));
}

function visibility(entry: PageEntry): unknown[] {
  const { published, status, publishAt, unpublishAt, roles, lang } = entry;
  return [published, status, publishAt, unpublishAt, roles, isListable(entry), lang];
}

function navigation(entry: PageEntry): string {
  if (!entry.visible) return "";
  const { route, navTitle, title, order, isOrdered, depth, template } = entry;
  const shown = [route, navTitle, title, order, isOrdered, depth, template];
  return short(JSON.stringify([visibility(entry), entry.frontmatter.redirect, ...shown]));
}

function terms(entry: PageEntry): string {
  if (Object.keys(entry.taxonomy).length === 0) return "";
  const { taxonomy, title, frontmatter } = entry;
  return short(JSON.stringify([visibility(entry), taxonomy, title, frontmatter.redirect]));
}

function short(text: string): string {
  return hash("sha1", text, "base64url").slice(0, 16);
}
