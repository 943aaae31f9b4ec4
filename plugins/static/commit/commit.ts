import { readFile, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { lstatSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { atomicWrite, safeJoin } from "#kernel";
import { realInside } from "#kernel/internal";
import { JOURNAL, OutFolders, WORK } from "./out-folder.js";
import { MANIFEST } from "./manifest.js";

const NEXT = "manifest.json";
/** Folder of new files, inside the working folder. */
export const STAGE = "files";

/** The files to move and remove. Paths are below the export's folder. */
export interface Commit {
  /** Name in the folder of new files to path. */
  moves: (readonly [staged: string, file: string])[];
  removes: string[];
  /** Text of the next manifest. */
  manifest: string;
}

const journal = z.object({
  moves: z.array(z.tuple([z.string(), z.string()])),
  removes: z.array(z.string()),
});

/**
 * Replaces the last export with a finished one. Writes a journal first: the next export finishes an
 * interrupted commit, and a commit that has not started leaves no trace.
 */
export async function commit(out: string, { moves, removes, manifest }: Commit): Promise<void> {
  await writeFile(join(out, WORK, NEXT), manifest);
  await atomicWrite(join(out, WORK, JOURNAL), JSON.stringify({ moves, removes }));
  await carryOut(out, { moves, removes });
}

/** Finishes an interrupted commit; true when there was one. */
export async function resume(out: string): Promise<boolean> {
  const text = await readFile(join(out, WORK, JOURNAL), "utf8").catch(() => null);
  const left = text === null ? null : journal.safeParse(JSON.parse(text));
  if (left === null || !left.success) return false;
  await carryOut(out, left.data);
  return true;
}

async function carryOut(out: string, work: Omit<Commit, "manifest">): Promise<void> {
  const folders = new OutFolders(out);
  // Remove files first that become folders.
  for (const file of work.removes) await removeFile(out, file);
  for (const [staged, file] of work.moves) {
    const target = safeJoin(out, file);
    const source = safeJoin(join(out, WORK, STAGE), staged);
    // Moved before the interruption.
    if (target === null || source === null || !isThere(source)) continue;
    folders.make(file);
    // A third of the cost of promises, and nothing else runs in this process.
    renameSync(source, target);
  }
  const next = join(out, WORK, NEXT);
  if (isThere(next)) await rename(next, join(out, MANIFEST));
  await rm(join(out, WORK, JOURNAL), { force: true });
}

async function removeFile(out: string, file: string): Promise<void> {
  const target = safeJoin(out, file);
  // A folder that was replaced by a link leads outside the export.
  if (target === null || (await realInside(out, dirname(target))) === null) return;
  await rm(target, { force: true });
  await removeEmpty(dirname(target), out);
}

async function removeEmpty(folder: string, out: string): Promise<void> {
  if (folder === out || !folder.startsWith(out)) return;
  const names = await readdir(folder).catch(() => ["?"]);
  if (names.length > 0) return;
  await rmdir(folder);
  await removeEmpty(dirname(folder), out);
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
