/** Merges the versions of one file, line by line. */
import type { Git } from "#kernel";
import { mergeTexts } from "#kernel/internal";
import { blobOf, isFile, type TreeChange, type TreeEntry } from "./tree-entries.js";

/** The merged entry; null when both sides changed the same lines, or the file is not a text. */
export async function mergeEntries(
  git: Git,
  { current, change }: { current: TreeEntry | null; change: TreeChange },
): Promise<TreeEntry | null> {
  const { before, after } = change;
  if (current === null || before === null || after === null) return null;
  if (![current, before, after].every(isFile)) return null;
  const merged = await mergeBlobs(git, [before, current, after]);
  if (merged === null) return null;
  const id = await git.run(["hash-object", "-w", "--stdin"], merged);
  return `${modeOf(after)} ${id.trim()}`;
}

async function mergeBlobs(git: Git, entries: readonly TreeEntry[]): Promise<Buffer | null> {
  const texts: string[] = [];
  for (const entry of entries) {
    // Keeps every byte, whatever the encoding.
    texts.push((await git.read(["cat-file", "blob", blobOf(entry)])).toString("latin1"));
  }
  const [base = "", ours = "", theirs = ""] = texts;
  if (texts.some((text) => text.includes("\0"))) return null;
  const { text, conflicts } = mergeTexts({ base, ours, theirs });
  return conflicts === 0 ? Buffer.from(text, "latin1") : null;
}

function modeOf(entry: TreeEntry): string {
  return entry.split(" ")[0] ?? "100644";
}
