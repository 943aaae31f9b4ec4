/** Merges the versions of one file, line by line. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "#kernel/internal";
import { blobOf, isFile, type TreeChange, type TreeEntry } from "./tree-entries.js";

/** The merged entry; null when both sides changed the same lines, or the file is not a text. */
export async function mergeEntries(
  git: Git,
  folder: string,
  { current, change }: { current: TreeEntry | null; change: TreeChange },
): Promise<TreeEntry | null> {
  const { before, after } = change;
  if (current === null || before === null || after === null) return null;
  if (![current, before, after].every(isFile)) return null;
  const merged = await mergeTexts(git, folder, [current, before, after]);
  if (merged === null) return null;
  const id = await git.run(["hash-object", "-w", "--stdin"], merged);
  return `${modeOf(after)} ${id.trim()}`;
}

async function mergeTexts(
  git: Git,
  folder: string,
  entries: readonly TreeEntry[],
): Promise<Buffer | null> {
  const own = await mkdtemp(join(folder, "site-merge-"));
  try {
    const files = entries.map((_, at) => join(own, String(at)));
    for (const [at, file] of files.entries()) {
      await writeFile(file, await git.read(["cat-file", "blob", blobOf(entries[at] ?? "")]));
    }
    return await git.read(["merge-file", "-p", "-q", ...files]);
  } catch {
    // Overlapping changes and binary files end with an exit code.
    return null;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

function modeOf(entry: TreeEntry): string {
  return entry.split(" ")[0] ?? "100644";
}
