/** Files of git trees, and their differences. */
import type { Git } from "#kernel";

/** A file of a tree: `100644 <id of its blob>`. */
export type TreeEntry = string;
/** A difference between two trees; null: the file does not exist. */
export interface TreeChange {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

/** Every file of a tree by its path. */
export async function entriesOf(git: Git, tree: string): Promise<Map<string, TreeEntry>> {
  const listed = await git.run(["ls-tree", "-r", "-z", "--full-tree", tree]);
  return new Map(
    listed.split("\0").flatMap((line): [string, TreeEntry][] => {
      const [, mode, id, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return path === undefined ? [] : [[path, `${mode} ${id}`]];
    }),
  );
}

/** The files that differ between two trees, without looking for renames. */
export async function changesBetween(git: Git, from: string, to: string): Promise<TreeChange[]> {
  const listed = await git.run(["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const fields = listed.split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, oldMode, mode, oldId, id] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+)/.exec(fields[at] ?? "") ?? [];
    const entry = (one = "0", its = ""): TreeEntry | null =>
      Number(one) === 0 ? null : `${one} ${its}`;
    const [before, after] = [entry(oldMode, oldId), entry(mode, id)];
    changes.push({ path: fields[at + 1] ?? "", before, after });
  }
  return changes;
}

/** The object of an entry. */
export function blobOf(entry: TreeEntry): string {
  return entry.split(" ")[1] ?? "";
}

/** True for a file; false for a link or another repository. */
export function isFile(entry: TreeEntry): boolean {
  return entry.startsWith("100");
}
