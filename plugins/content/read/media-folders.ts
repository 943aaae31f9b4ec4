/** Media of folders; listings are cached while the folder is watched, and in an export. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ContentProblem, MediaItem } from "../contract.js";
import {
  findMedia,
  isMediaName,
  listMedia,
  type MediaListing,
  type MediaOnDisk,
} from "./media-listing.js";
import { joinPath } from "./source-name.js";
import { digest } from "./source-record.js";
import { unreadable } from "./unread-files.js";
import type { TreeRules } from "./walk.js";

const MAX_ENTRIES = 2000;
const MAX_TRIES = 3;

const NONE: readonly MediaItem[] = Object.freeze([]);

interface MediaFoldersOptions {
  /** No other work is waiting, so folders are read synchronously. */
  readonly isExport?: boolean;
  /** Called when `lastProblems` differs. */
  readonly onProblems?: () => void;
}

/** Listings by folder. */
export class MediaFolders {
  readonly #rules: () => TreeRules;
  readonly #onProblems: () => void;
  /** Problems as last listed, of the folders that have any. */
  readonly #problems = new Map<string, readonly ContentProblem[]>();
  #lastProblems: readonly ContentProblem[] | null = [];
  readonly #kept = new Map<string, readonly MediaItem[]>();
  /** Digests of the listings that pages were rendered with, to detect missed changes. */
  readonly #listed = new Map<string, string>();
  /** Changed folders without an event. */
  readonly #unreported = new Set<string>();
  readonly #isExport: boolean;
  /** Folders with only pages, as most are, in an export: their pages list them in turn. */
  readonly #empty = new Set<string>();
  #isWatching: () => boolean = () => false;
  #isClosed = false;
  #version = 0;

  constructor(
    rules: () => TreeRules,
    { isExport = false, onProblems = () => {} }: MediaFoldersOptions = {},
  ) {
    this.#isExport = isExport;
    this.#rules = rules;
    this.#onProblems = onProblems;
  }

  keepWhile(isWatching: () => boolean): void {
    this.#isWatching = isWatching;
  }

  async list(folder: string): Promise<readonly MediaItem[]> {
    const cached = this.#cached(folder);
    if (cached !== undefined) return cached;
    if (this.#isExport && this.#isWithoutMedia(folder)) return NONE;
    const { items, version } = await this.#read(folder);
    if (!this.#isExport) this.#note(folder, items);
    // Do not cache a folder that changed while it was listed.
    if (this.#keeps() && version === this.#version) this.#keep(folder, items);
    return items;
  }

  #isWithoutMedia(folder: string): boolean {
    if (this.#empty.has(folder)) return true;
    const isEmpty = isWithoutMedia(folder, this.#rules());
    if (isEmpty) this.#empty.add(folder);
    return isEmpty;
  }

  #cached(folder: string): readonly MediaItem[] | undefined {
    return this.#keeps() ? this.#kept.get(folder) : undefined;
  }

  /** An export reads the site once, as it is when it begins. */
  #keeps(): boolean {
    return this.#isExport || this.#isWatching();
  }

  /** Problems of the sidecars and names in these folders, read now. */
  async problems(folders: Iterable<string>): Promise<ContentProblem[]> {
    const problems: ContentProblem[] = [];
    for (const folder of new Set(folders)) problems.push(...(await this.#read(folder)).problems);
    return problems;
  }

  /** The problems of all folders as they were last listed; the same array until one differs. */
  get lastProblems(): readonly ContentProblem[] {
    return (this.#lastProblems ??= [...this.#problems.values()].flat());
  }

  /** Brings `lastProblems` up to date, one folder after the other; unreadable folders stay as they were. */
  async findProblems(folders: Iterable<string>): Promise<void> {
    for (const folder of new Set([...folders, ...this.#problems.keys()])) {
      if (this.#isClosed) return;
      await this.#read(folder).catch(() => {});
    }
  }

  /** Ends `findProblems`. */
  close(): void {
    this.#isClosed = true;
  }

  async find(folder: string, name: string): Promise<MediaOnDisk | null> {
    return findMedia(folder, name, this.#rules()).catch((error: unknown) => {
      throw unreadable(joinPath(folder, name), error);
    });
  }

  /** Lists known folders again and returns those whose media have changed. */
  async changed(): Promise<string[]> {
    this.clear();
    const cachedFolders = [...this.#listed.keys()];
    for (const folder of cachedFolders) {
      const listing = await listMedia(folder, this.#rules()).catch(() => null);
      if (listing === null) this.#unreported.add(folder);
      else {
        this.#note(folder, listing.items);
        this.#noteProblems(folder, listing.problems);
      }
    }
    const folders = [...this.#unreported];
    this.#unreported.clear();
    return folders;
  }

  /** A listing that no change has made outdated, if one of a few is; notes its problems. */
  async #read(folder: string): Promise<MediaListing & { version: number }> {
    for (let tries = 1; ; tries += 1) {
      const version = this.#version;
      const listing = await listMedia(folder, this.#rules()).catch((error: unknown) => {
        throw unreadable(folder, error);
      });
      // A listing from before a change must not be served after it.
      if (version !== this.#version && tries < MAX_TRIES) continue;
      if (version === this.#version) this.#noteProblems(folder, listing.problems);
      return { ...listing, version };
    }
  }

  #noteProblems(folder: string, problems: readonly ContentProblem[]): void {
    if (isDeepStrictEqual(this.#problems.get(folder) ?? [], problems)) return;
    if (problems.length === 0) this.#problems.delete(folder);
    else this.#problems.set(folder, problems);
    this.#lastProblems = null;
    this.#onProblems();
  }

  #note(folder: string, items: readonly MediaItem[]): void {
    const now = digest(JSON.stringify(items));
    const last = this.#listed.get(folder);
    if (last !== undefined && last !== now) this.#unreported.add(folder);
    this.#listed.set(folder, now);
  }

  /** Evicts the listings of the tags. */
  invalidate(tags: ReadonlySet<string>): void {
    this.#version += 1;
    this.#empty.clear();
    for (const folder of this.#kept.keys()) {
      if (tags.has(`media:${folder}`)) this.#kept.delete(folder);
    }
    for (const folder of this.#listed.keys()) {
      if (tags.has(`media:${folder}`)) this.#listed.delete(folder);
    }
  }

  clear(): void {
    this.#version += 1;
    this.#empty.clear();
    this.#kept.clear();
  }

  #keep(folder: string, items: readonly MediaItem[]): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < MAX_ENTRIES) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(folder, items);
  }
}

/** True for a folder with only pages. */
function isWithoutMedia(folder: string, rules: TreeRules): boolean {
  try {
    const entries = readdirSync(join(rules.root, folder), { withFileTypes: true });
    return !entries.some((entry) => !entry.isDirectory() && isMediaName(entry.name, rules));
  } catch {
    return false;
  }
}
