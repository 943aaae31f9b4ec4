/** An immutable state of the whole tree, with the lookups views need. */
import type { ContentProblem, Generation, PageEntry } from "./contract.js";
import { lookupsOf, type Lookups } from "./lookups.js";
import type { Orders } from "./orders.js";
import type { Placed } from "./placed.js";
import { boundariesOf } from "./schedule.js";
import { runAtOnce } from "./slices.js";
import { folderOf } from "./source-name.js";
import type { SourceRecord } from "./source-record.js";

/** What an index is made of. */
export interface IndexParts {
  id: number;
  /** In tree order. */
  placed: readonly Placed[];
  records: ReadonlyMap<string, SourceRecord>;
  problems: readonly ContentProblem[];
  orders: Orders;
  /** Of `placed`, when they have been made in slices. */
  lookups?: Lookups;
  /** When they are those of the generation before. */
  boundaries?: readonly number[];
}
/** The pages of a folder: its own, in every language, and the flat ones beside it. */
export interface FolderPages {
  own: PageEntry[];
  flat: PageEntry[];
}

/** The index of one generation. */
export class ContentIndex implements Generation {
  readonly id: number;
  readonly entries: readonly PageEntry[];
  readonly bySource: ReadonlyMap<string, PageEntry>;
  readonly problems: readonly ContentProblem[];
  readonly records: ReadonlyMap<string, SourceRecord>;
  readonly orders: Orders;
  readonly placed: ReadonlyMap<string, Placed>;
  readonly #routes: Lookups["routes"];
  readonly #lazy: {
    aliases?: ReadonlyMap<string, PageEntry>;
    groups?: ReadonlyMap<string, readonly PageEntry[]>;
    folders?: ReadonlyMap<string, FolderPages>;
    boundaries?: readonly number[];
  } = {};
  readonly #memo = new Map<string, unknown>();

  constructor(parts: IndexParts) {
    this.id = parts.id;
    this.records = parts.records;
    this.problems = parts.problems;
    this.orders = parts.orders;
    const lookups = parts.lookups ?? runAtOnce(lookupsOf(parts.placed));
    this.entries = lookups.entries;
    this.placed = lookups.placed;
    this.bySource = lookups.bySource;
    this.#routes = lookups.routes;
    if (parts.boundaries !== undefined) this.#lazy.boundaries = parts.boundaries;
  }

  at(route: string, lang: string): PageEntry | undefined {
    return this.#routes.get(lang)?.get(route);
  }

  /** The page with a front-matter alias. */
  alias(route: string, lang: string): PageEntry | undefined {
    this.#lazy.aliases ??= aliasesOf(this.entries);
    return this.#lazy.aliases.get(`${lang} ${route}`);
  }

  /** The page in every language it has, in tree order. */
  translations(entry: PageEntry): readonly PageEntry[] {
    this.#lazy.groups ??= this.#group();
    const placed = this.placed.get(entry.sourcePath);
    return placed === undefined ? [entry] : (this.#lazy.groups.get(groupKey(placed)) ?? [entry]);
  }

  /** The pages of a folder below the content folder. */
  folder(path: string): FolderPages | undefined {
    this.#lazy.folders ??= this.#foldersOf();
    return this.#lazy.folders.get(path);
  }

  /**
   * The page whose gate the media of a folder stand behind: the folder's own, else that of the
   * nearest folder above. A folder of flat pages only belongs to the first of them that is open.
   */
  ownerOf(folder: string): PageEntry | null {
    const flat = this.folder(folder)?.flat ?? [];
    return this.folder(folder)?.own[0] ?? flat.find(isOpen) ?? flat[0] ?? this.#ownerAbove(folder);
  }

  /** The root's page stands for itself, not for every folder. */
  #ownerAbove(folder: string): PageEntry | null {
    const parent = folderOf(folder);
    if (parent === "") return null;
    return this.folder(parent)?.own[0] ?? this.#ownerAbove(parent);
  }

  /** When pages appear or disappear by their schedule: Unix ms, ascending. */
  get boundaries(): readonly number[] {
    this.#lazy.boundaries ??= boundariesIn(this.entries);
    return this.#lazy.boundaries;
  }

  /** What is made once per generation under a key; at most 128 of them, the oldest goes. */
  once<T>(key: string, make: () => T, isT: (value: unknown) => value is T): T {
    const known = this.#memo.get(key);
    if (isT(known)) return known;
    const made = make();
    if (this.#memo.size >= 128) this.#memo.delete([...this.#memo.keys()][0] ?? "");
    this.#memo.set(key, made);
    return made;
  }

  #group(): Map<string, PageEntry[]> {
    const groups = new Map<string, PageEntry[]>();
    for (const placed of this.placed.values()) append(groups, groupKey(placed), placed.entry);
    return groups;
  }

  #foldersOf(): Map<string, FolderPages> {
    const folders = new Map<string, FolderPages>();
    for (const { entry, place } of this.placed.values()) {
      let pages = folders.get(place.folder);
      if (pages === undefined) folders.set(place.folder, (pages = { own: [], flat: [] }));
      (place.isFolderPage ? pages.own : pages.flat).push(entry);
    }
    return folders;
  }
}

function boundariesIn(entries: readonly PageEntry[]): readonly number[] {
  const times = new Set<number>();
  for (const entry of entries) for (const time of boundariesOf(entry)) times.add(time);
  return [...times].sort((a, b) => a - b);
}

function isOpen({ published, status, roles }: PageEntry): boolean {
  return published && status === "published" && roles === null;
}

function aliasesOf(entries: readonly PageEntry[]): Map<string, PageEntry> {
  const aliases = new Map<string, PageEntry>();
  for (const entry of entries) {
    for (const alias of entry.routable ? entry.aliases : []) {
      const key = `${entry.lang} ${alias}`;
      if (!aliases.has(key)) aliases.set(key, entry);
    }
  }
  return aliases;
}

/** Files that are one page in several languages: the same folder page, or the same stem. */
function groupKey({ entry, place }: Placed): string {
  if (place.isFolderPage) return `${place.folder}/`;
  const name = entry.sourcePath.slice(0, -entry.format.length - 1);
  const suffix = `.${entry.lang}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function append(map: Map<string, PageEntry[]>, key: string, entry: PageEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}
