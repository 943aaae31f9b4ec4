import { constants, readdirSync, statSync } from "node:fs";
import { copyFile, utimes, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { realInside } from "#lib/files";
import type { ContentView, MediaItem } from "../../content/contract.js";
import type { Manifest, Output } from "../commit/manifest.js";

/** A file of the content folder that is exported unchanged. */
export interface MediaFile {
  folder: string;
  item: MediaItem;
}

/** A file that is copied unchanged. */
export interface Copy {
  /** Below the export's folder. */
  file: string;
  /** Encoded as in a URL. */
  url: string;
  /** Absolute. */
  source: string;
}

/** Media that an anonymous visitor may see. */
export async function mediaCopies(
  site: SiteContext,
  view: ContentView,
  media: readonly MediaFile[],
): Promise<Copy[]> {
  const content = site.use("content");
  const copies: Copy[] = [];
  for (const { folder, item } of media) {
    const mediaFile = await content.mediaFile(folder, item.name);
    if (mediaFile === null || (mediaFile.entry !== null && !view.canSee(mediaFile.entry))) continue;
    const file = ["content-media", folder, item.name].filter((part) => part !== "").join("/");
    copies.push({ file, url: item.url, source: mediaFile.file });
  }
  return copies;
}

/** Files of the site's own `static/` folder, without dotfiles and links out of it. */
export async function staticCopies(site: SiteContext): Promise<Copy[]> {
  const folder = join(site.paths.root, "static");
  const copies: Copy[] = [];
  for (const path of filesBelow(folder)) {
    if (path.split("/").some((part) => part.startsWith("."))) continue;
    const source = await realInside(folder, join(folder, path));
    if (source === null || !statSync(source).isFile()) continue;
    const url = `/static/${path.split("/").map(encodeURIComponent).join("/")}`;
    copies.push({ file: `static/${path}`, url, source });
  }
  return copies;
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) =>
      path.replaceAll("\\", "/"),
    );
  } catch {
    return [];
  }
}

/** Dependencies of copying. */
interface CopyOptions {
  before: Manifest | null;
  stage: string;
  isOnDisk(file: string, output: Output): boolean;
}

/**
 * Copies changed files. A copy keeps the modification time of its original, so that the next export
 * recognizes it as up to date.
 */
export async function copyFiles(
  copies: readonly Copy[],
  { before, stage, isOnDisk }: CopyOptions,
): Promise<{ outputs: Map<string, Output>; moves: [string, string][] }> {
  const outputs = new Map<string, Output>();
  const moves: [string, string][] = [];
  for (const [at, { file, url, source }] of copies.entries()) {
    const { size, mtimeMs } = await stat(source);
    const last = before?.outputs.get(file);
    const isSame = last?.size === size && Math.abs(last.mtimeMs - mtimeMs) < 1;
    if (last !== undefined && isSame && isOnDisk(file, last)) {
      outputs.set(file, last);
      continue;
    }
    const staged = `media-${at}`;
    const copy = join(stage, staged);
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
    await utimes(copy, mtimeMs / 1000, mtimeMs / 1000);
    const written = await stat(copy);
    outputs.set(file, { ...MEDIA, url, size: written.size, mtimeMs: written.mtimeMs });
    moves.push([staged, file]);
  }
  return { outputs, moves };
}

const MEDIA: Omit<Output, "url" | "size" | "mtimeMs"> = {
  kind: "media",
  hash: "",
  reads: [],
  expiresAt: null,
  variants: [],
  inline: [],
};
