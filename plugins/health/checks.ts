/** The checks of the health report: disks, configuration, plugins; and those for `site doctor`. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type ConfigState,
  type Diagnostic,
  type Finding,
  partName,
  type Paths,
  type SiteContext,
} from "#kernel";
import type {} from "./contract.js";

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
export function fullDisks(
  paths: Paths,
  space: (folder: string) => DiskSpace = readSpace,
): string[] {
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
function readSpace(folder: string): DiskSpace {
  try {
    return statfsSync(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (parent === folder) throw error;
    return readSpace(parent);
  }
}

/** Health check of the configuration on the disk; null: the site runs with it. */
export function configProblem({ state, problems }: ConfigState): string | null {
  if (state === "valid") return null;
  const places = problems.map(({ file, line, key }) => {
    const position = file === null ? "" : `${file}:${line}`;
    return [position, key ?? ""].filter((part) => part !== "").join(" ");
  });
  const where = places.filter((position) => position !== "").join(", ");
  const at = where === "" ? "" : ` (${where})`;
  return `the changed configuration is invalid${at}: the site runs with the one before`;
}

/** Names the handlers and extensions of plugins that are switched off after failures; null: none. */
export function pluginProblem({
  hooks,
  extensions,
}: Pick<SiteContext, "hooks" | "extensions">): string | null {
  const places = [
    ...hooks.stats().map((stat) => ({ ...stat, place: stat.hook })),
    ...extensions.stats().map((stat) => ({ ...stat, place: partName(stat) })),
  ];
  const off = places.filter(({ open }) => open);
  if (off.length === 0) return null;
  // The reason may name paths of this machine: the log has it.
  return off
    .map(({ plugin, place }) => `plugin ${plugin} is switched off in ${place}: see the log`)
    .join("; ");
}

/** Every disk of the site has space. */
export const diskCheck: Diagnostic = {
  name: "disk",
  run: ({ paths }) => {
    const problem = diskProblem(paths);
    if (problem === null) return [{ level: "ok", seen: "all disks of the site have space" }];
    return [{ level: "error", seen: problem, fix: "delete files, or use a larger disk" }];
  },
};

/** Every problem that the detailed health report of this site lists. */
export const healthCheck: Diagnostic = {
  name: "health",
  needsSite: true,
  run: async ({ site }) => {
    const problems = (await site()).use("health").problems();
    const others = problems.filter(({ part }) => part !== "disk");
    if (others.length === 0) return [{ level: "ok", seen: "the health report lists no problem" }];
    return others.map(({ part, problem }): Finding => ({
      level: "error",
      seen: `${part}: ${problem}`,
      fix: "the log of the server has details",
    }));
  },
};
