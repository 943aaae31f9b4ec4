/** Checks that other users of the machine cannot read folders with secrets, hashes or unpublished texts. */
import { chmod, lstat, opendir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Finding, NamedCheck } from "./finding.js";

/** Bits of a mode that concern other users than the owner. */
export const OTHERS = 0o077;

/** A file or folder, absolute. */
interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** A site with the path of its root. */
interface RootedPlace {
  readonly paths: { readonly root: string };
}

/**
 * A check of `site doctor`: only the owner can read what is in these folders. Earlier versions created
 * some of them with modes that allow more; `--fix` corrects these. `foldersOf`: absolute paths; those
 * that do not exist are left out.
 */
export function privateFoldersCheck<P extends RootedPlace>(
  foldersOf: (place: P) => readonly string[],
): NamedCheck<P> {
  return {
    name: "private folders",
    run: async (place) => {
      if (process.platform === "win32") return [];
      const folders = foldersOf(place);
      const found = await Promise.all(folders.map((folder) => findingOf(place, folder)));
      return found.flatMap((finding) => finding ?? []);
    },
  };
}

async function findingOf({ paths }: RootedPlace, folder: string): Promise<Finding | null> {
  const top = await realpath(folder).catch(() => null);
  if (top === null) return null;
  const inside = relative(paths.root, folder);
  const name = inside.startsWith("..") ? folder : inside;
  let count = 0;
  let example: Entry | null = null;
  // What is in a folder that only its owner can open cannot be read either.
  for await (const entry of entriesIn(top, (one) => (one.mode & OTHERS) !== 0)) {
    count += 1;
    example = entry;
  }
  if (example === null) return { level: "ok", seen: `only the owner of ${name} can read it` };
  const mode = (example.mode & 0o777).toString(8);
  const last = join(name, relative(top, example.path));
  return {
    level: "warning",
    seen: `other users of this machine can read ${name}: ${count} files and folders, such as ${last} (mode ${mode})`,
    fix: `chmod -R go= ${name}`,
    repair: async () => {
      for await (const entry of entriesIn(top, () => true)) {
        if ((entry.mode & OTHERS) !== 0) await chmod(entry.path, entry.mode & 0o700);
      }
      return `chmod -R go= ${name}`;
    },
  };
}

/** The entries that `isWanted` accepts, without what is in a folder that it rejects; links are left out. */
async function* entriesIn(top: string, isWanted: (entry: Entry) => boolean): AsyncGenerator<Entry> {
  const pending = [top];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stats = await lstat(path).catch(() => null);
    if (stats === null || !(stats.isDirectory() || stats.isFile())) continue;
    const entry = { path, mode: stats.mode, isFolder: stats.isDirectory() };
    if (!isWanted(entry)) continue;
    yield entry;
    if (!entry.isFolder) continue;
    for await (const { name } of await opendir(path)) pending.push(join(path, name));
  }
}
