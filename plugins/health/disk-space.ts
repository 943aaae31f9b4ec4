import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { Paths } from "#kernel";

/** Free space that counts as low, unless it is more than 1 % of the disk. */
const LOW_BYTES = 16 * 1_024 * 1_024;

/** The fields of `statfs` that are used. */
export interface DiskSpace {
  bavail: number;
  blocks: number;
  bsize: number;
  /** Free and total inodes; both 0 if the file system does not count them. */
  ffree: number;
  files: number;
}

/** Names of the site's writable folders whose disk is full or nearly full. */
export function fullDisks(paths: Paths, space: (folder: string) => DiskSpace = spaceOf): string[] {
  const { content, data, runtime, cache } = paths;
  return Object.entries({ content, data, runtime, cache })
    .filter(([, folder]) => isLow(space(folder)))
    .map(([name]) => name);
}

/** Health check of full disks; null: enough space. */
export function diskProblem(paths: Paths): string | null {
  const full = fullDisks(paths);
  return full.length === 0 ? null : `the disk is full or nearly full: ${full.join(", ")}`;
}

function isLow({ bavail, blocks, bsize, ffree, files }: DiskSpace): boolean {
  const isFull = bavail * bsize < Math.min(LOW_BYTES, (blocks * bsize) / 100);
  return isFull || (files > 0 && ffree === 0);
}

/** The disk of a folder, or of its nearest existing parent. */
function spaceOf(folder: string): DiskSpace {
  try {
    return statfsSync(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return spaceOf(parent);
  }
}
