// What a process uses, read from /proc.
import { readdirSync, readlinkSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { cpuOf, rssOf } from "../../bench/support/server-process.js";

/** One reading. */
export interface Sample {
  /** Resident memory in MB. */
  readonly megabytes: number;
  /** Open files and sockets. */
  readonly descriptors: number;
  /** Of them sockets. */
  readonly sockets: number;
  /** Files named `.tmp-…` below the root. */
  readonly temporaries: number;
  /** User and system time so far, in s, child processes included. */
  readonly cpuSeconds: number;
}

/** Reads a process that serves `root`. */
export function takeSample(pid: number, root: string): Sample {
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => target(`/proc/${pid}/fd/${name}`));
  return {
    megabytes: rssOf(pid),
    descriptors: links.length,
    sockets: links.filter((link) => link.startsWith("socket:")).length,
    temporaries: temporariesBelow(root),
    cpuSeconds: cpuOf(pid) / 1e6,
  };
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // Closed meanwhile.
    return "";
  }
}

function temporariesBelow(folder: string): number {
  return entriesOf(folder).reduce((sum, entry) => {
    const own = entry.name.startsWith(".tmp-") ? 1 : 0;
    const below = entry.isDirectory() ? temporariesBelow(join(folder, entry.name)) : 0;
    return sum + own + below;
  }, 0);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Deleted meanwhile, such as a lock.
    return [];
  }
}
