/** Where files go: into the folder of their page, or to their path without order numbers. */
import { posix } from "node:path";
import type { SiteContext } from "#kernel";
import { splitOrder } from "#kernel/internal";
import type { MediaItem, PageEntry } from "../../../content/contract.js";
import type { Picked } from "../pick-pages.js";
import type { OutNames } from "./out-names.js";
import { segmentName } from "./out-names.js";

/** A file that can be exported. */
export interface OwnedFile {
  readonly item: MediaItem;
  /** Absolute path. */
  readonly file: string;
  readonly folder: string;
  /** The page of its folder; null for a file that pages share. */
  readonly owner: PageEntry | null;
}

/** The files of pages in the export, and files without a page. */
export async function mediaFiles(site: SiteContext, picked: Picked): Promise<OwnedFile[]> {
  const content = site.use("content");
  const wanted = new Set(picked.pages.map(({ sourcePath }) => sourcePath));
  const files: OwnedFile[] = [];
  for (const folder of content.mediaFolders()) {
    for (const item of await content.media(folder)) {
      const found = await content.mediaFile(folder, item.name);
      if (found === null) continue;
      const { file, entry: owner } = found;
      const isOpen =
        owner === null || (owner.isModule ? picked.accepts(owner) : wanted.has(owner.sourcePath));
      if (isOpen) files.push({ item, file, folder, owner });
    }
  }
  return files;
}

/** Places of files. */
export class MediaPlaces {
  /** Path below `content/` to path in the export. */
  readonly #places = new Map<string, { file: OwnedFile; path: string }>();
  readonly #used = new Set<string>();

  /** `takesAll`: files that no page shows are exported too. */
  constructor(files: readonly OwnedFile[], options: PlaceOptions) {
    for (const file of files) {
      const own = options.pages.of(file.owner ?? NO_PAGE);
      if (file.owner !== null && own === undefined) continue;
      const folder = own === undefined ? sharedFolder(file.folder) : posix.dirname(own.path);
      const path = options.names.take(posix.join(folder, file.item.name));
      const key = posix.join(file.folder, file.item.name);
      this.#places.set(key, { file, path });
      if (own !== undefined || options.takesAll) this.#used.add(key);
    }
  }

  /** The path in the export of the file at an address; null when it is not part of it. */
  at(address: string): string | null {
    const key = keyOf(address);
    const place = key === null ? undefined : this.#places.get(key);
    if (key === null || place === undefined) return null;
    this.#used.add(key);
    return place.path;
  }

  /** Files that belong to pages in the export, or were looked up. */
  used(): { file: OwnedFile; path: string }[] {
    return [...this.#places].flatMap(([key, place]) => (this.#used.has(key) ? [place] : []));
  }
}

interface PlaceOptions {
  readonly pages: { of(entry: Pick<PageEntry, "sourcePath">): { path: string } | undefined };
  readonly names: OutNames;
  readonly takesAll: boolean;
}
const NO_PAGE = { sourcePath: "" };
const PREFIX = "/content-media/";

function sharedFolder(folder: string): string {
  const names = folder.split("/").filter(Boolean);
  return names.map((name) => segmentName(splitOrder(name).rest)).join("/");
}

function keyOf(address: string): string | null {
  if (!address.startsWith(PREFIX)) return null;
  try {
    return decodeURIComponent(address.slice(PREFIX.length).replace(/[?#].*$/s, ""));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
