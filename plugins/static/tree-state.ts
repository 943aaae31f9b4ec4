import { hash } from "node:crypto";
import type { PageEntry } from "../content/contract.js";

/**
 * What an export remembers of a page: enough to tell, the next time, which of the tags that answers
 * were made from are no longer true. The same tags as the content tree announces while it runs.
 */
export type PageState = readonly [
  bytes: string,
  standing: string,
  metadata: string,
  navigation: string,
  terms: string,
  /** Tags of the places it has: its parent's list, its routes. */
  places: readonly string[],
];

/** Source path to state. */
export type TreeState = ReadonlyMap<string, PageState>;

/**
 * The state of a tree. `last`: that of an earlier export with the same settings; of a page whose bytes
 * and whose place are those of then it says what is true now.
 */
export function treeState(
  entries: readonly PageEntry[],
  last: TreeState = new Map<string, PageState>(),
): TreeState {
  return new Map(
    entries.map((entry) => [entry.sourcePath, pageState(entry, last.get(entry.sourcePath))]),
  );
}

/** Tags that are true no longer, from one state to the next. */
export function changedTags(before: TreeState, after: TreeState): Set<string> {
  const tags = new Set<string>();
  for (const [path, now] of after) {
    const old = before.get(path);
    if (!isSame(old, now)) addTags(path, [old, now], tags);
  }
  for (const [path, old] of before) {
    if (!after.has(path)) addTags(path, [old, undefined], tags);
  }
  return tags;
}

function isSame(old: PageState | undefined, now: PageState): boolean {
  if (old === now) return true;
  return old !== undefined && old[0] === now[0] && old[2] === now[2];
}

type Pair = readonly [old: PageState | undefined, now: PageState | undefined];

function addTags(path: string, [old, now]: Pair, tags: Set<string>): void {
  tags.add(`page:${path}`);
  if (old !== undefined && now !== undefined && old[2] === now[2]) return;
  tags.add("list");
  for (const place of placesOf([old, now])) tags.add(place);
  if (isOther([old, now], 3)) tags.add("nav");
  if (isOther([old, now], 4)) tags.add("taxonomy");
}

function placesOf(pair: Pair): string[] {
  return pair.flatMap((state) => [...(state?.[5] ?? [])]);
}

/** A page that is not there has neither navigation nor terms. */
function isOther([old, now]: Pair, part: 3 | 4): boolean {
  return (old?.[part] ?? "") !== (now?.[part] ?? "");
}

function pageState(entry: PageEntry, last: PageState | undefined): PageState {
  const standing = standingOf(entry);
  if (last !== undefined && last[0] === entry.hash && last[1] === standing) return last;
  const metadata = short(
    JSON.stringify({ ...entry, hash: "", mtimeMs: 0, size: 0, bodyOffset: 0 }),
  );
  const places = [`list:${entry.parent ?? "/"}`, `route:${entry.route}`];
  for (const alias of entry.aliases) places.push(`route:${alias}`);
  return [entry.hash, standing, metadata, navigation(entry), terms(entry), places];
}

/** What the tree around a page decides of it; the rest of an entry follows from the page's bytes. */
function standingOf(entry: PageEntry): string {
  const { folder, route, url, format, template, title, navTitle, order, depth, parent } = entry;
  const place = [folder, route, url, format, template, title, navTitle, order, depth, parent];
  return short(JSON.stringify([place, visibility(entry), entry.visible]));
}

function visibility(entry: PageEntry): unknown[] {
  const { published, status, publishAt, unpublishAt, roles, routable, isModule, lang } = entry;
  return [published, status, publishAt, unpublishAt, roles, routable, isModule, lang];
}

function navigation(entry: PageEntry): string {
  if (!entry.visible) return "";
  const { route, navTitle, title, order, depth, template } = entry;
  return short(JSON.stringify([visibility(entry), route, navTitle, title, order, depth, template]));
}

function terms(entry: PageEntry): string {
  if (Object.keys(entry.taxonomy).length === 0) return "";
  return short(JSON.stringify([visibility(entry), entry.taxonomy, entry.title]));
}

function short(text: string): string {
  return hash("sha1", text, "base64url").slice(0, 16);
}
