/** Lists the files of a source folder; links are reported, never followed. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorCode } from "#kernel/internal";
import { sourceError } from "../../errors.js";

const MAX_DEPTH = 40;
const MAX_FILES = 200_000;
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "vendor", "__pycache__"]);

/** A file, or something in the folder that is not read. */
export interface FolderFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** Why it is not read; null for a file. */
  readonly issue: string | null;
}

/** Yields every file below a folder, by name; nothing for a missing folder. Hidden files are left out. */
export async function* folderFiles(root: string): AsyncGenerator<FolderFile> {
  const pending = [""];
  let count = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const below: string[] = [];
    for (const item of await list(root, folder)) {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      count += 1;
      if (count > MAX_FILES)
        throw sourceError({ file: basename(root) }, `it has more than ${MAX_FILES} files`);
      const file = join(root, path);
      if (item.isSymbolicLink()) yield { path, file, issue: "symbolic links are not followed" };
      else if (item.isFile()) yield { path, file, issue: null };
      else if (item.isDirectory() && path.split("/").length < MAX_DEPTH) below.push(path);
      else
        yield {
          path,
          file,
          issue: item.isDirectory() ? "the folder lies too deep" : "it is not a regular file",
        };
    }
    pending.push(...below.toReversed());
  }
}

async function list(root: string, folder: string) {
  try {
    const items = await readdir(join(root, folder), { withFileTypes: true });
    return items
      .filter(({ name }) => !name.startsWith(".") && !SKIPPED.has(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw sourceError(
      { file: folder || basename(root) },
      `the folder cannot be read (${errorCode(error)})`,
    );
  }
}
