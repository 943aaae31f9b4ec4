import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Paths } from "#kernel";

/** Free space below which a folder is told of, unless it is more than a hundredth of its disk. */
const LOW_BYTES = 16 * 1_024 * 1_024;

/** What `statfs` says of a disk, as far as it is looked at. */
export interface DiskSpace {
  bavail: number;
  blocks: number;
  bsize: number;
  /** Files that can still be made, and all; 0 of 0 where the file system does not count. */
  ffree: number;
  files: number;
}

/** Folders of the site that are written to and whose disk is full or nearly so, by their names. */
export function fullDisks(paths: Paths, space: (folder: string) => DiskSpace = spaceOf): string[] {
  const { content, data, runtime, cache } = paths;
  return Object.entries({ content, data, runtime, cache })
    .filter(([, folder]) => isLow(space(folder)))
    .map(([name]) => name);
}

/** What health says of full disks; null: there is room. */
export function diskProblem(paths: Paths): string | null {
  const full = fullDisks(paths);
  return full.length === 0 ? null : `the disk is full or nearly so: ${full.join(", ")}`;
}

function isLow({ bavail, blocks, bsize, ffree, files }: DiskSpace): boolean {
  const isFull = bavail * bsize < Math.min(LOW_BYTES, (blocks * bsize) / 100);
  return isFull || (files > 0 && ffree === 0);
}

/** The disk of a folder, or of the nearest one above that is there. */
function spaceOf(folder: string): DiskSpace {
  try {
    return statfsSync(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return spaceOf(parent);
  }
}
