/** Replaces the installed package with the staged one, so that each step can be undone after a kill. */
import { existsSync } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, syncFolder } from "#kernel/internal";
import type { Installation } from "../installation.js";
import type { Replaced } from "./journal.js";

/** The entries of both packages, for the journal; `kernel/` holds the command and is replaced by files. */
export async function unitsOf(packageFolder: string, staged: string): Promise<Replaced["units"]> {
  const [own, next] = [await readdir(packageFolder), await readdir(staged)];
  const names = [...new Set([...own, ...next])].filter((name) => name !== "kernel").toSorted();
  return names.map((path) => ({ path, had: own.includes(path) }));
}

/** Moves the staged package in place of the installed one, entry by entry; the former one is in `old/`. */
export async function swapPackage(
  { state, packageFolder }: Pick<Installation, "state" | "packageFolder">,
  { units, files }: Replaced,
): Promise<void> {
  const [staged, old] = [join(state, "new"), join(state, "old")];
  await makeFolder(old);
  for (const { path, had } of units) {
    if (had) await rename(join(packageFolder, path), join(old, path));
    if (existsSync(join(staged, path))) await rename(join(staged, path), join(packageFolder, path));
  }
  // The command itself never disappears: it is what undoes an upgrade.
  for (const { path } of files.filter((file) => file.path.startsWith(packageFolder))) {
    await rename(join(staged, path.slice(packageFolder.length + 1)), path);
    await syncFolder(dirname(path));
  }
  await syncFolder(packageFolder);
}
