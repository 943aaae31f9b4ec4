import { createHash } from "node:crypto";
import type { PageEntry } from "../content/contract.js";

/**
 * What an export remembers of a page: enough to tell, the next time, which of the tags that answers
 * were made from are no longer true. The same tags as the content tree announces while it runs.
 */
export type PageState = readonly [
  bytes: string,
  metadata: string,
  navigation: string,
  terms: string,
  /** Tags of the places it has: its parent's list, its routes. */
  places: readonly string[],
];

/** Source path to state. */
export type TreeState = Readonly<Record<string, PageState>>;

/** The state of a tree. */
export function treeState(entries: readonly PageEntry[]): Record<string, PageState> {
  return Object.fromEntries(entries.map((entry) => [entry.sourcePath, pageState(entry)]));
}

/** Tags that are true no longer, from one state to the next. */
export function changedTags(before: TreeState, after: TreeState): Set<string> {
  const tags = new Set<string>();
  for (const [path, now] of Object.entries(after)) {
    const old = Object.hasOwn(before, path) ? before[path] : undefined;
    if (!isSame(old, now)) addTags(path, [old, now], tags);
  }
  for (const [path, old] of Object.entries(before)) {
    if (!Object.hasOwn(after, path)) addTags(path, [old, undefined], tags);
  }
  return tags;
}

function isSame(old: PageState | undefined, now: PageState): boolean {
  return old !== undefined && old[0] === now[0] && old[1] === now[1];
}

type Pair = readonly [old: PageState | undefined, now: PageState | undefined];

function addTags(path: string, [old, now]: Pair, tags: Set<string>): void {
  tags.add(`page:${path}`);
  if (old !== undefined && now !== undefined && old[1] === now[1]) return;
  tags.add("list");
  for (const place of placesOf([old, now])) tags.add(place);
  if (isOther([old, now], 2)) tags.add("nav");
  if (isOther([old, now], 3)) tags.add("taxonomy");
}

function placesOf(pair: Pair): string[] {
  return pair.flatMap((state) => [...(state?.[4] ?? [])]);
}

/** A page that is not there has neither navigation nor terms. */
function isOther([old, now]: Pair, part: 2 | 3): boolean {
  return (old?.[part] ?? "") !== (now?.[part] ?? "");
}

function pageState(entry: PageEntry): PageState {
  const metadata = short(
    JSON.stringify({ ...entry, hash: "", mtimeMs: 0, size: 0, bodyOffset: 0 }),
  );
  const places = [`list:${entry.parent ?? "/"}`, `route:${entry.route}`];
  for (const alias of entry.aliases) places.push(`route:${alias}`);
  return [entry.hash, metadata, navigation(entry), terms(entry), places];
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
  return createHash("sha1").update(text).digest("base64url").slice(0, 16);
}
