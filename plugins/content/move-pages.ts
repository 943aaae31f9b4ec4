/** The next generation when a page came or went and nothing else moves by it. */
import { ContentIndex } from "./content-index.js";
import type { Placed } from "./placed.js";
import { ContentTree } from "./content-tree.js";
import { toPageEntry, type Place } from "./page-entry.js";
import { resortFolder } from "./resort-folder.js";
import { folderOf } from "./source-name.js";
import type { SourceRecord } from "./source-record.js";
import type { Candidate, FolderNode, HomePlace, PlaceRules } from "./tree-nodes.js";

/** One page that came, one that went, or both. */
export interface Moved {
  added: SourceRecord | null;
  removed: string | null;
}

// Files that are no page only because of another file, or that stand in no list: everything is built.
const entangled: ReadonlySet<string> = new Set([
  "ERR_CONTENT_DUPLICATE_ROUTE",
  "ERR_CONTENT_ROLES",
]);

/** The next generation; null when other pages may be concerned, and the index must be built. */
export function movePages(
  previous: ContentIndex,
  { added, removed }: Moved,
  rules: PlaceRules,
): ContentIndex | null {
  if (rules.home !== null || previous.problems.some(({ code }) => entangled.has(code))) return null;
  const gone = removed === null ? null : lonely(previous, removed);
  const come = added === null ? null : placeLonely(previous, added, rules);
  if ((removed !== null && gone === null) || (added !== null && come === null)) return null;
  const placed = inOrder(previous, gone, come);
  return placed && nextIndex(previous, placed, { gone, come });
}

/** The page at a path when its going moves nothing. */
function lonely(previous: ContentIndex, path: string): Placed | null {
  const placed = previous.placed.get(path);
  if (placed === undefined || !placed.place.routable || placed.place.route === "/") return null;
  if (placed.place.isFolderPage && !isAlone(previous, placed.place.folder, path)) return null;
  return placed;
}

/** True when a folder holds no other content file. */
function isAlone({ records }: ContentIndex, folder: string, path: string): boolean {
  const prefix = `${folder}/`;
  for (const other of records.keys()) {
    if (other.startsWith(prefix) && other !== path) return false;
  }
  return true;
}

/** The new page when its coming moves nothing: below the top, where nobody is. */
function placeLonely(
  previous: ContentIndex,
  record: SourceRecord,
  rules: PlaceRules,
): Placed | null {
  const place = record.error === null ? freePlace(previous, record, rules) : null;
  if (place === null || previous.at(place.route, place.lang) !== undefined) return null;
  const result = toPageEntry(record, place, rules.timezone);
  return "issue" in result ? null : { record, place, ...result };
}

function freePlace(previous: ContentIndex, record: SourceRecord, rules: PlaceRules): Place | null {
  const folder = folderOf(record.sourcePath);
  if (folder === "" || previous.records.has(record.sourcePath)) return null;
  const tree = new ContentTree(rules);
  for (const known of recordsOnTheWay(previous, folder)) tree.add(known);
  tree.add(record);
  tree.settle(() => homeIn(tree, previous));
  const found = findIn(tree, previous, record);
  if (found === null) return null;
  const isFree = folderOf(folder) !== "" && isAlone(previous, folder, record.sourcePath);
  if (found.candidate.isFolderPage && !isFree) return null;
  const place = tree.place(found.node, found.candidate);
  return place.routable ? place : null;
}

/** The pages of a folder and of those above it: what decides about routes below. */
function recordsOnTheWay(previous: ContentIndex, folder: string): SourceRecord[] {
  const pages = previous.folder(folder);
  const entries = pages === undefined ? [] : [...pages.own, ...pages.flat];
  const own = entries.flatMap(({ sourcePath }) => previous.records.get(sourcePath) ?? []);
  return folder === "" ? own : [...recordsOnTheWay(previous, folderOf(folder)), ...own];
}

/** The home page that there is; null when it is none of the folders on the way. */
function homeIn(tree: ContentTree, previous: ContentIndex): HomePlace | null {
  for (const { place } of previous.placed.values()) {
    if (place.route !== "/" || !place.isFolderPage) continue;
    for (const node of tree.nodes()) if (node.path === place.folder) return { node, flat: null };
    return null;
  }
  return null;
}

/** The new file among those on the way; null when it makes another of them something else. */
function findIn(
  tree: ContentTree,
  previous: ContentIndex,
  record: SourceRecord,
): { node: FolderNode; candidate: Candidate } | null {
  let found: { node: FolderNode; candidate: Candidate } | null = null;
  for (const node of tree.nodes()) {
    for (const candidate of node.candidates) {
      if (candidate.record === record) found = { node, candidate };
      else if (
        previous.placed.get(candidate.record.sourcePath)?.place.isFolderPage !==
        candidate.isFolderPage
      )
        return null;
    }
  }
  return found;
}

/** Tree order without the one and with the other; null when the new page's folder holds no page yet. */
function inOrder(
  previous: ContentIndex,
  gone: Placed | null,
  come: Placed | null,
): readonly Placed[] | null {
  const placed = [...previous.placed.values()].filter((item) => item !== gone);
  if (come === null) return placed;
  const folder = come.place.isFolderPage ? folderOf(come.place.folder) : come.place.folder;
  const last = placed.findLastIndex(({ entry }) => entry.sourcePath.startsWith(`${folder}/`));
  if (last === -1) return null;
  placed.splice(last + 1, 0, come);
  return resortFolder(placed, folder);
}

function nextIndex(
  previous: ContentIndex,
  placed: readonly Placed[],
  { gone, come }: { gone: Placed | null; come: Placed | null },
): ContentIndex {
  const records = new Map(previous.records);
  if (gone !== null) records.delete(gone.record.sourcePath);
  if (come !== null) records.set(come.record.sourcePath, come.record);
  const kept = previous.problems.filter(({ sourcePath }) => sourcePath !== gone?.entry.sourcePath);
  const fresh = (come?.warnings ?? []).map((warning) => ({
    sourcePath: come?.entry.sourcePath ?? "",
    severity: "warning" as const,
    ...warning,
  }));
  return new ContentIndex({
    id: previous.id + 1,
    placed,
    records,
    problems: [...kept, ...fresh].sort((a, b) => (a.sourcePath < b.sourcePath ? -1 : 1)),
    orders: previous.orders.next(
      placed.map(({ entry }) => entry),
      {
        removed: new Set(gone === null ? [] : [gone.entry]),
        added: come === null ? [] : [come.entry],
      },
    ),
  });
}
