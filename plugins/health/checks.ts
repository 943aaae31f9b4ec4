/** The checks of the health report: disks, configuration, plugins; and those for `site doctor`. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { errorCode } from "#lib/errors";
import {
  type ConfigState,
  type Diagnostic,
  type Finding,
  partName,
  type Paths,
  type SiteContext,
} from "#kernel";
import type { HealthProblem } from "./contract.js";
import { readProblems } from "./problem-note.js";

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

/** Folders of the site, from its root, that this process cannot write, each with the error code. */
export function unwritableFolders(
  { root, content, data, runtime, cache }: Paths,
  access: (folder: string) => void = (folder) =>
    accessSync(folder, constants.W_OK | constants.X_OK),
): { folder: string; code: string }[] {
  const optional = [join(root, "flex-objects"), join(content, "media")].filter((folder) =>
    existsSync(folder),
  );
  return [content, data, runtime, cache, ...optional].flatMap((folder) => {
    try {
      access(folder);
      return [];
    } catch (error) {
      const code = errorCode(error);
      // The first write creates it.
      return code === "ENOENT" ? [] : [{ folder: relative(root, folder) || ".", code }];
    }
  });
}

/** Health check of folders that cannot be written; null: all can. */
export function folderProblem(paths: Paths, access?: (folder: string) => void): string | null {
  const folders = unwritableFolders(paths, access);
  if (folders.length === 0) return null;
  const list = folders.map(({ folder, code }) => `${folder} (${code})`).join(", ");
  const fix = `chown -R "$(id -un)" ${folders.map(({ folder }) => folder).join(" ")}`;
  return `cannot be written: ${list}; mount it writable, or as the user of the server: ${fix}`;
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

/** Checks of their own report these parts. */
const CHECKED: ReadonlySet<string> = new Set(["disk", "folders"]);

/** Every problem that the detailed health report of the running server lists. */
export const runningHealthCheck: Diagnostic = {
  name: "health",
  run: async ({ paths }) => {
    const problems = await readProblems(paths.runtime);
    return problems === null ? [] : toFindings(problems, "of the running server");
  },
};

/** Every problem that the detailed health report of this site lists; while a server runs, its report counts. */
export const healthCheck: Diagnostic = {
  name: "health",
  needsSite: true,
  run: async ({ site, paths }) => {
    if ((await readProblems(paths.runtime)) !== null) return [];
    return toFindings((await site()).use("health").problems(), "");
  },
};

function toFindings(problems: readonly HealthProblem[], whose: string): Finding[] {
  const others = problems.filter(({ part }) => !CHECKED.has(part));
  if (others.length === 0) {
    const seen = ["the health report", whose, "lists no problem"].filter((part) => part !== "");
    return [{ level: "ok", seen: seen.join(" ") }];
  }
  return others.map(({ part, problem }): Finding => ({
    level: "error",
    seen: `${part}: ${problem}`,
    fix: "the log of the server has details",
  }));
}
