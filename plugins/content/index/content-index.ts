/** An immutable state of the whole tree, with the lookups that views need. */
import { runAtOnce, type Sliced } from "#lib/concurrency";
import type { ContentProblem, Generation, PageEntry } from "../contract.js";
import { folderOf, isAtOrBelow } from "../read/source-name.js";
import type { SourceRecord } from "../read/source-record.js";
import { isPublished } from "../schedule/publication-time.js";
import { LayeredMap } from "./layered-map.js";
import {
  LazyLookups,
  type FolderPages,
  buildLookups,
  nextLookups,
  type Lookups,
  type PageChange,
} from "./lookups.js";
import { Orders } from "./orders.js";
import type { IndexedPage } from "./page-entry.js";

/** The pages, records and problems that make an index. */
export interface IndexInput {
  id: number;
  lookups: Lookups;
  records: LayeredMap<SourceRecord>;
  /** Problems of files; they change with their records. */
  fileProblems: readonly ContentProblem[];
  /** Problems of the scan: links, folders and files that cannot be read. */
  treeProblems: readonly ContentProblem[];
  orders: Orders;
  /** Lookups of the same pages, if the previous generation has built some. */
  lazy?: LazyLookups;
}
/** The pages that differ in the next generation, and the order of all. */
export interface IndexChange extends PageChange {
  /** All pages of the next generation, in tree order. */
  pages: readonly IndexedPage[];
}

/** Finds problems that need the whole tree. */
export type FindProblems = (index: ContentIndex) => readonly ContentProblem[];

/** The index of one generation. */
export class ContentIndex implements Generation {
  readonly id: number;
  readonly entries: readonly PageEntry[];
  readonly bySource: ReadonlyMap<string, PageEntry>;
  /** Problems of reading the tree: what could not be read, or is not a page. */
  readonly treeProblems: readonly ContentProblem[];
  /** The problems of its files. */
  readonly fileProblems: readonly ContentProblem[];
  readonly records: LayeredMap<SourceRecord>;
  readonly orders: Orders;
  /** In tree order. */
  readonly pages: readonly IndexedPage[];
  readonly placed: ReadonlyMap<string, IndexedPage>;
  readonly #lookups: Lookups;
  readonly #lazy: LazyLookups;
  readonly #memo = new Map<string, unknown>();
  #find: FindProblems = () => [];
  #problems: readonly ContentProblem[] | null = null;

  constructor(input: IndexInput) {
    this.id = input.id;
    this.records = input.records;
    this.treeProblems = input.treeProblems;
    this.fileProblems = input.fileProblems;
    this.orders = input.orders;
    this.#lookups = input.lookups;
    this.pages = input.lookups.pages;
    this.entries = input.lookups.entries;
    this.placed = input.lookups.placed;
    this.bySource = input.lookups.bySource;
    this.#lazy = input.lazy ?? new LazyLookups(this.pages);
  }

  /** The next generation. It shares everything that the change does not touch. */
  *next({ pages, removed, added }: IndexChange): Sliced<ContentIndex> {
    const lookups = yield* nextLookups(this.#lookups, pages, { removed, added });
    yield;
    const records = yield* this.records.next(changedRecords({ removed, added }));
    const orders = yield* this.orders.next(lookups.entries, {
      removed: removed.map(({ entry }) => entry),
      added: added.map(({ entry }) => entry),
    });
    const lazy = yield* this.#lazy.next(pages, { removed, added });
    const fileProblems = nextProblems(this.fileProblems, { removed, added });
    const { treeProblems } = this;
    const id = this.id + 1;
    return new ContentIndex({ id, lookups, records, fileProblems, treeProblems, orders, lazy });
  }

  /** The same pages with other tree problems; this index when the problems are equal. */
  withTreeProblems(treeProblems: readonly ContentProblem[]): ContentIndex {
    if (isSameList(this.treeProblems, treeProblems)) return this;
    return new ContentIndex({
      id: this.id + 1,
      lookups: this.#lookups,
      records: this.records,
      fileProblems: this.fileProblems,
      treeProblems,
      orders: this.orders,
      lazy: this.#lazy,
    }).findProblemsWith(this.#find);
  }

  /** Problems of reading the files, without those of the whole tree. */
  get readingProblems(): ContentProblem[] {
    return [...this.treeProblems, ...this.fileProblems];
  }

  /** By path. Problems of the whole tree are computed on first access: every page is looked at. */
  get problems(): readonly ContentProblem[] {
    this.#problems ??= [...inPathOrder(this.readingProblems), ...this.#find(this)].sort((a, b) =>
      a.sourcePath < b.sourcePath ? -1 : Number(a.sourcePath > b.sourcePath),
    );
    return this.#problems;
  }

  /** Sets how problems of the whole tree are found. */
  findProblemsWith(find: FindProblems): this {
    this.#find = find;
    this.#problems = null;
    return this;
  }

  at(route: string, lang: string): PageEntry | undefined {
    return this.#lookups.routes.get(lang)?.get(route);
  }

  /** True for the last valid version of a page whose file is now invalid. */
  isLastGood(sourcePath: string): boolean {
    const placed = this.placed.get(sourcePath);
    return placed !== undefined && placed.record !== this.records.get(sourcePath);
  }

  /** The page with a front-matter alias. */
  alias(route: string, lang: string): PageEntry | undefined {
    return this.#lazy.aliases.get(`${lang} ${route}`);
  }

  /** The page in every language it has, in tree order. */
  translations(entry: PageEntry): readonly PageEntry[] {
    const placed = this.placed.get(entry.sourcePath);
    return placed === undefined ? [entry] : this.#lazy.translations(placed);
  }

  /** The pages of a folder below the content folder. */
  folder(path: string): FolderPages | undefined {
    return this.#lazy.folder(path);
  }

  /**
   * The page whose access rules apply to the media of a folder: the folder's own, else that of the
   * nearest parent folder. A folder with only flat pages belongs to the first public one.
   */
  ownerOf(folder: string): PageEntry | null {
    const flat = this.folder(folder)?.flat ?? [];
    return this.folder(folder)?.own[0] ?? flat.find(isOpen) ?? flat[0] ?? this.#ownerAbove(folder);
  }

  /** The root's page owns only itself, not every folder. */
  #ownerAbove(folder: string): PageEntry | null {
    const parent = folderOf(folder);
    if (parent === "") return null;
    return this.folder(parent)?.own[0] ?? this.#ownerAbove(parent);
  }

  /** When pages appear or disappear by their schedule: Unix ms, ascending. */
  get boundaries(): readonly number[] {
    return this.#lazy.boundaries;
  }

  /** The pages that belong in the navigation, in tree order. */
  get navigation(): readonly PageEntry[] {
    return this.#lazy.navigation;
  }

  /** Drops what `once` has cached, because the rules for lists have changed. */
  invalidateLists(): void {
    this.#memo.clear();
  }

  /** Computes a value once per generation and key; evicts the oldest beyond 128. */
  once<T>(key: string, make: () => T, isT: (value: unknown) => value is T): T {
    const cached = this.#memo.get(key);
    if (isT(cached)) return cached;
    const created = make();
    if (this.#memo.size >= 128) this.#memo.delete([...this.#memo.keys()][0] ?? "");
    this.#memo.set(key, created);
    return created;
  }
}

/** The initial index, without pages. */
export function emptyIndex(): ContentIndex {
  return new ContentIndex({
    id: 0,
    lookups: runAtOnce(buildLookups([])),
    records: new LayeredMap(new Map()),
    fileProblems: [],
    treeProblems: [],
    orders: new Orders([]),
  });
}

function changedRecords({ removed, added }: PageChange): Map<string, SourceRecord | null> {
  const records = new Map<string, SourceRecord | null>();
  for (const { record } of removed) records.set(record.sourcePath, null);
  for (const { record } of added) records.set(record.sourcePath, record);
  return records;
}

function nextProblems(
  before: readonly ContentProblem[],
  { removed, added }: PageChange,
): readonly ContentProblem[] {
  const gone = new Set(removed.map(({ entry }) => entry.sourcePath));
  const unchanged = before.filter(({ sourcePath }) => !gone.has(sourcePath));
  const fresh = added.flatMap(({ entry: { sourcePath }, warnings }) =>
    warnings.map((warning) => ({ sourcePath, severity: "warning" as const, ...warning })),
  );
  return [...unchanged, ...fresh];
}

/** Sorted by path, then by content, so that the order is stable. */
function inPathOrder(problems: ContentProblem[]): ContentProblem[] {
  const sortKey = ({ sourcePath, code, line, message }: ContentProblem): string =>
    `${sourcePath}\n${code}\n${String(line ?? 0).padStart(9, "0")}\n${message}`;
  const keyed = problems.map((problem) => ({ key: sortKey(problem), problem }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return keyed.map(({ problem }) => problem);
}

function isOpen(entry: PageEntry): boolean {
  return isPublished(entry) && entry.roles === null;
}

interface WithProblems {
  readonly treeProblems: readonly ContentProblem[];
}

/** The problems after re-reading paths: new results replace earlier ones of these paths. */
export function afterPaths(
  { treeProblems }: WithProblems,
  looked: readonly string[],
  problems: readonly ContentProblem[],
): readonly ContentProblem[] {
  const others = treeProblems.filter(
    ({ sourcePath }) => !looked.some((path) => isAtOrBelow(sourcePath, path)),
  );
  return [...others, ...problems];
}

/** The problems after re-reading all files but no folders: those of links and folders remain. */
export function afterFiles(
  { treeProblems }: WithProblems,
  problems: readonly ContentProblem[],
): readonly ContentProblem[] {
  return [...treeProblems.filter(({ code }) => code !== "ERR_CONTENT_READ"), ...problems];
}

/** True when both contain the same problems, in any order. */
export function isSameList(a: readonly ContentProblem[], b: readonly ContentProblem[]): boolean {
  if (a.length !== b.length) return false;
  const listed = new Set(a.map((problem) => JSON.stringify(problem)));
  return b.every((problem) => listed.has(JSON.stringify(problem)));
}
