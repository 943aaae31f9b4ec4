/** Media of folders; listings are cached while the folder is watched. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "#kernel";
import type { ContentProblem, MediaItem } from "../../contract.js";
import {
  findMedia,
  isMediaName,
  listMedia,
  type MediaListing,
  type MediaOnDisk,
} from "./media-listing.js";
import { joinPath } from "../source-name.js";
import { digest } from "../source-record.js";
import { unreadable } from "../unread-files.js";
import type { TreeRules } from "../walk.js";

const MAX_ENTRIES = 2000;
const MAX_TRIES = 3;

const NONE: readonly MediaItem[] = Object.freeze([]);

/** Listings by folder. */
export class MediaFolders {
  readonly #rules: () => TreeRules;
  readonly #log: Logger;
  readonly #kept = new Map<string, readonly MediaItem[]>();
  /** Digests of the listings that pages were rendered with, to detect missed changes. */
  readonly #listed = new Map<string, string>();
  /** Changed folders without an event. */
  readonly #unreported = new Set<string>();
  readonly #isExport: boolean;
  #isWatching: () => boolean = () => false;
  #version = 0;

  /** `isExport`: no other work is waiting, so folders are read synchronously. */
  constructor(rules: () => TreeRules, log: Logger, { isExport = false } = {}) {
    this.#isExport = isExport;
    this.#rules = rules;
    this.#log = log;
  }

  keepWhile(isWatching: () => boolean): void {
    this.#isWatching = isWatching;
  }

  async list(folder: string): Promise<readonly MediaItem[]> {
    const cached = this.#cached(folder);
    if (cached !== undefined) return cached;
    if (this.#isExport && isWithoutMedia(folder, this.#rules())) return NONE;
    let version = this.#version;
    let { items, problems } = await this.#read(folder);
    // A listing from before a change must not be served after it.
    for (let tries = 1; version !== this.#version && tries < MAX_TRIES; tries += 1) {
      version = this.#version;
      ({ items, problems } = await this.#read(folder));
    }
    for (const problem of problems) this.#report(problem);
    if (!this.#isExport) this.#note(folder, items);
    // Do not cache a folder that changed while it was listed.
    if (this.#isWatching() && version === this.#version) this.#keep(folder, items);
    return items;
  }

  #cached(folder: string): readonly MediaItem[] | undefined {
    return this.#isWatching() ? this.#kept.get(folder) : undefined;
  }

  /** Problems of the sidecars and names in these folders. */
  async problems(folders: Iterable<string>): Promise<ContentProblem[]> {
    const problems: ContentProblem[] = [];
    for (const folder of new Set(folders)) {
      problems.push(...(await listMedia(folder, this.#rules())).problems);
    }
    return problems;
  }

  async find(folder: string, name: string): Promise<MediaOnDisk | null> {
    return findMedia(folder, name, this.#rules()).catch((error: unknown) => {
      throw unreadable(joinPath(folder, name), error);
    });
  }

  /** Lists known folders again and returns those whose media have changed. */
  async changed(): Promise<string[]> {
    this.clear();
    for (const folder of [...this.#listed.keys()]) {
      const listing = await listMedia(folder, this.#rules()).catch(() => null);
      if (listing !== null) this.#note(folder, listing.items);
      else this.#unreported.add(folder);
    }
    const folders = [...this.#unreported];
    this.#unreported.clear();
    return folders;
  }

  #read(folder: string): Promise<MediaListing> {
    return listMedia(folder, this.#rules()).catch((error: unknown) => {
      throw unreadable(folder, error);
    });
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
    for (const folder of this.#kept.keys()) {
      if (tags.has(`media:${folder}`)) this.#kept.delete(folder);
    }
    for (const folder of this.#listed.keys()) {
      if (tags.has(`media:${folder}`)) this.#listed.delete(folder);
    }
  }

  clear(): void {
    this.#version += 1;
    this.#kept.clear();
  }

  #keep(folder: string, items: readonly MediaItem[]): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < MAX_ENTRIES) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(folder, items);
  }

  #report({ sourcePath, code, message }: ContentProblem): void {
    const event = code === "ERR_CONTENT_SIDECAR" ? "content.sidecar" : "content.media_name";
    this.#log.warn(event, { sourcePath, code, message });
  }
}

/** True for a folder with only pages, as most are. */
function isWithoutMedia(folder: string, rules: TreeRules): boolean {
  try {
    return !readdirSync(join(rules.root, folder)).some((name) => isMediaName(name, rules));
  } catch {
    return false;
  }
}
