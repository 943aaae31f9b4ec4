import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * A digest (`sha512-…`) of the names and bytes of all files below a folder, without the relative paths
 * for which `isLeftOut` is true. Ignores modes and times, which differ by machine.
 */
export async function folderDigest(
  folder: string,
  isLeftOut: (path: string) => boolean,
): Promise<string> {
  const hash = createHash("sha512");
  const visit = async (path: string): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (isLeftOut(below)) continue;
      if (entry.isDirectory()) await visit(below);
      else hash.update(`${JSON.stringify(below)} ${await digestOf(join(folder, below), entry)}\n`);
    }
  };
  await visit("");
  return `sha512-${hash.digest("base64")}`;
}

async function digestOf(file: string, entry: { isSymbolicLink(): boolean }): Promise<string> {
  const isLink = entry.isSymbolicLink();
  const bytes = isLink ? await readlink(file) : await readFile(file);
  return `${isLink ? "link" : "file"} ${createHash("sha512").update(bytes).digest("base64")}`;
}
