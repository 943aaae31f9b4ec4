import { hash } from "node:crypto";
import type { PageEntry } from "../content/contract.js";

/**
 * What an export remembers of a page: enough to tell, the next time, which of the tags that answers
 * were made from are no longer true. The same tags as the content tree announces while it runs.
 */
export type PageState = readonly [
  bytes: string,
  /** Of its last change, which sitemaps tell. */
  day: number,
  standing: string,
  metadata: string,
  navigation: string,
  terms: string,
  /** Tags of the places it has: its parent's list, its routes. */
  places: readonly string[],
];
const [BYTES, DAY, STANDING, METADATA, NAVIGATION, TERMS, PLACES] = [0, 1, 2, 3, 4, 5, 6] as const;
type Part = typeof BYTES | typeof DAY | typeof METADATA | typeof NAVIGATION | typeof TERMS;

const DAY_MS = 24 * 3600 * 1000;

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
    if (old !== now) addTags(path, [old, now], tags);
  }
  for (const [path, old] of before) {
    if (!after.has(path)) addTags(path, [old, undefined], tags);
  }
  return tags;
}

type Pair = readonly [old: PageState | undefined, now: PageState | undefined];

function addTags(path: string, [old, now]: Pair, tags: Set<string>): void {
  if (isOther([old, now], BYTES) || isOther([old, now], METADATA)) tags.add(`page:${path}`);
  if (isOther([old, now], DAY)) tags.add("modified");
  if (!isOther([old, now], METADATA)) return;
  tags.add("list");
  for (const place of placesOf([old, now])) tags.add(place);
  if (isOther([old, now], NAVIGATION)) tags.add("nav");
  if (isOther([old, now], TERMS)) tags.add("taxonomy");
}

function placesOf(pair: Pair): string[] {
  return pair.flatMap((state) => [...(state?.[PLACES] ?? [])]);
}

/** A page that is not there has neither navigation nor terms. */
function isOther([old, now]: Pair, part: Part): boolean {
  return (old?.[part] ?? "") !== (now?.[part] ?? "");
}

function pageState(entry: PageEntry, last: PageState | undefined): PageState {
  const day = Math.floor(entry.mtimeMs / DAY_MS);
  const standing = standingOf(entry);
  const isKnown = last?.[BYTES] === entry.hash && last[DAY] === day && last[STANDING] === standing;
  if (isKnown) return last;
  const metadata = short(
    JSON.stringify({ ...entry, hash: "", mtimeMs: 0, size: 0, bodyOffset: 0 }),
  );
  const places = [`list:${entry.parent ?? "/"}`, `route:${entry.route}`];
  for (const alias of entry.aliases) places.push(`route:${alias}`);
  return [entry.hash, day, standing, metadata, navigation(entry), terms(entry), places];
}

/** What the tree around a page decides of it; the rest of an entry follows from the page's bytes. */
function standingOf(entry: PageEntry): string {
  const { folder, route, url, format, template, title, navTitle, order, depth, parent } = entry;
  const { published, status, publishAt, unpublishAt, roles, routable, isModule, lang } = entry;
  const place = [folder, route, url, format, template, title, navTitle, order, depth, parent];
  const visible = [published, status, publishAt, unpublishAt, routable, isModule, lang];
  const rule = roles === null ? "" : JSON.stringify(roles);
  // Of every page at every export: joining takes half the time of JSON.
  return short([...place, ...visible, rule, entry.visible].join("\0"));
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
