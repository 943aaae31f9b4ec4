/** Builds an index from records and reuses what has not changed since the previous generation. */
import type { Sliced } from "#lib/concurrency";
import type { ContentProblem, PageEntry } from "../contract.js";
import type { SourceIssue } from "../read/front-matter/front-matter.js";
import type { SourceRecord } from "../read/source-record.js";
import { ContentIndex } from "./content-index.js";
import { type IndexedPage, hasSameValues, toPageEntry, type TreePosition } from "./page-entry.js";
import { ContentTree } from "./content-tree.js";
import { missingHome } from "./home-page.js";
import { LayeredMap } from "./layered-map.js";
import { buildLookups } from "./lookups.js";
import { Orders } from "./orders.js";
import { compareSiblings, toSibling } from "./tree-order.js";
import type { Candidate, FolderNode, PositionRules } from "./tree-nodes.js";

/** The records and rules that an index is built from. */
export interface BuildInput {
  records: ReadonlyMap<string, SourceRecord>;
  /** Found while walking: links, unreadable folders. */
  treeProblems: readonly ContentProblem[];
  rules: PositionRules;
  previous: ContentIndex | null;
  /** True when `previous` was built by other rules. */
  hasNewRules?: boolean;
  /** True keeps the last good page of a file that has become invalid. */
  keepsLastGood?: boolean;
}

/** Builds the next generation. */
export function* buildIndex(input: BuildInput): Sliced<ContentIndex> {
  const builder = new IndexBuilder(input);
  const tree = new ContentTree(input.rules);
  for (const record of inPathOrder(input.records)) {
    if (record.error !== null) builder.report(record.sourcePath, record.error, "error");
    const page = record.error === null ? record : builder.lastGood(record);
    if (page !== null) tree.add(page);
    yield;
  }
  tree.settle();
  builder.reportHome(tree);
  yield;
  yield* builder.placeAll(tree);
  const placed = yield* inTreeOrder(tree, builder.placed);
  yield;
  return yield* builder.finish(placed);
}

function inPathOrder(records: ReadonlyMap<string, SourceRecord>): SourceRecord[] {
  const list = [...records.values()];
  return isInPathOrder(list) ? list : list.sort((a, b) => (a.sourcePath < b.sourcePath ? -1 : 1));
}

function isInPathOrder(list: readonly SourceRecord[]): boolean {
  let last = "";
  for (const { sourcePath } of list) {
    if (sourcePath < last) return false;
    last = sourcePath;
  }
  return true;
}

class IndexBuilder {
  readonly placed = new Map<Candidate, IndexedPage>();
  readonly #problems: ContentProblem[] = [];
  readonly #input: BuildInput;
  readonly #taken = new Map<string, string>();

  constructor(input: BuildInput) {
    this.#input = input;
  }

  report(sourcePath: string, issue: SourceIssue, severity: ContentProblem["severity"]): void {
    this.#problems.push({ sourcePath, severity, ...issue });
  }

  reportHome(tree: ContentTree): void {
    const problem = missingHome(tree, this.#input.rules);
    if (problem !== null) this.#problems.push(problem);
  }

  /** The last valid record of a file, if available. */
  lastGood({ sourcePath }: SourceRecord): SourceRecord | null {
    const { keepsLastGood, previous } = this.#input;
    return (keepsLastGood === true && previous?.placed.get(sourcePath)?.record) || null;
  }

  /** Home first: a page that is home by configuration has `/` before the root's own file. */
  *placeAll(tree: ContentTree): Sliced<void> {
    const later: [FolderNode, Candidate][] = [];
    for (const node of tree.nodes()) {
      for (const candidate of node.candidates) {
        if (tree.isHome(node, candidate)) this.#place(candidate, tree.place(node, candidate));
        else later.push([node, candidate]);
      }
      yield;
    }
    later.sort(([, a], [, b]) => (a.record.sourcePath < b.record.sourcePath ? -1 : 1));
    for (const [node, candidate] of later) {
      this.#place(candidate, tree.place(node, candidate));
      yield;
    }
  }

  #place(candidate: Candidate, place: TreePosition): void {
    if (candidate.issue !== null) {
      const { severity, code, message } = candidate.issue;
      this.report(candidate.record.sourcePath, { code, message }, severity);
    }
    const placed = this.#make(candidate, this.#withoutDuplicate(candidate, place));
    if (placed === null) return;
    this.placed.set(candidate, placed);
    for (const warning of placed.warnings) {
      this.report(placed.entry.sourcePath, warning, "warning");
    }
  }

  #make(candidate: Candidate, place: TreePosition): IndexedPage | null {
    const { record } = candidate;
    const before = this.#input.previous?.placed.get(record.sourcePath);
    const { rules, hasNewRules } = this.#input;
    const isKept = before?.record === record && isSamePlace(before.place, place);
    if (isKept && (hasNewRules !== true || hasSameValues(record, before.entry, rules)))
      return before;
    const result = toPageEntry(record, place, rules);
    if ("issue" in result) {
      this.report(record.sourcePath, result.issue, "error");
      const good = this.lastGood(record);
      return good === null || good === record
        ? null
        : this.#make({ ...candidate, record: good }, place);
    }
    return { record, place, entry: result.entry, warnings: result.warnings };
  }

  /** Drops the route from the place when another file already has it. */
  #withoutDuplicate({ record }: Candidate, place: TreePosition): TreePosition {
    if (!place.routable || record.frontmatter.routable === false) return place;
    const key = `${place.lang} ${place.route}`;
    const owner = this.#taken.get(key);
    if (owner === undefined) {
      this.#taken.set(key, record.sourcePath);
      return place;
    }
    const message = `route ${JSON.stringify(place.route)} belongs to ${JSON.stringify(owner)}; rename this file or give it a slug`;
    this.report(record.sourcePath, { code: "ERR_CONTENT_DUPLICATE_ROUTE", message }, "error");
    return { ...place, routable: false };
  }

  *finish(placed: readonly IndexedPage[]): Sliced<ContentIndex> {
    const { previous } = this.#input;
    const records = new LayeredMap(this.#input.records);
    const lookups = yield* buildLookups(placed);
    const { entries } = lookups;
    yield;
    const orders = previous === null ? new Orders(entries) : yield* nextOrders(previous, entries);
    const id = (previous?.id ?? 0) + 1;
    const [fileProblems, { treeProblems }] = [this.#problems, this.#input];
    return new ContentIndex({ id, lookups, records, fileProblems, treeProblems, orders });
  }
}

function nextOrders(previous: ContentIndex, entries: readonly PageEntry[]): Sliced<Orders> {
  const added = entries.filter((entry) => previous.bySource.get(entry.sourcePath) !== entry);
  const now = new Set(entries);
  const removed = previous.entries.filter((entry) => !now.has(entry));
  return previous.orders.next(entries, { removed, added });
}

function isSamePlace(a: TreePosition, b: TreePosition): boolean {
  return (
    a.url === b.url &&
    a.route === b.route &&
    a.template === b.template &&
    a.order === b.order &&
    a.parent === b.parent &&
    a.routable === b.routable &&
    a.isFolderPage === b.isFolderPage &&
    a.depth === b.depth &&
    a.lang === b.lang
  );
}

/** Depth first; siblings (folders and flat pages alike) by order, then title, then path. */
function* inTreeOrder(
  tree: ContentTree,
  placed: ReadonlyMap<Candidate, IndexedPage>,
): Sliced<IndexedPage[]> {
  const result: IndexedPage[] = [];
  const pending: (FolderNode | IndexedPage)[] = [tree.root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("entry" in next) {
      result.push(next);
      continue;
    }
    const pages = next.candidates.flatMap((candidate) => placed.get(candidate) ?? []);
    result.push(...pages.filter(({ place }) => place.isFolderPage));
    const flat = pages.filter(({ place }) => !place.isFolderPage);
    const siblings = [
      ...flat.map((item) =>
        toSibling<FolderNode | IndexedPage>(item, item.entry, item.entry.sourcePath),
      ),
      ...next.folders.map((node) =>
        toSibling<FolderNode | IndexedPage>(node, folderKey(node, placed), node.path),
      ),
    ];
    // Reversed, because siblings are popped from the end.
    siblings.sort((a, b) => compareSiblings(b, a));
    for (const { item } of siblings) pending.push(item);
    yield;
  }
  return result;
}

function folderKey(
  node: FolderNode,
  placed: ReadonlyMap<Candidate, IndexedPage>,
): Pick<PageEntry, "order" | "isOrdered" | "title"> {
  const folderPage = node.candidates.find(
    (candidate) => placed.get(candidate)?.place.isFolderPage === true,
  );
  const entry = folderPage === undefined ? undefined : placed.get(folderPage)?.entry;
  const { order, slug } = node.name;
  return entry ?? { order: order ?? 0, isOrdered: order !== null, title: slug };
}
