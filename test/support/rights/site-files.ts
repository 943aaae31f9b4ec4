// The files of a site that requests may change: what differs, and back to how they were.
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file that differs; null: the file is missing. */
export interface FileChange {
  /** Below the root. */
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

const FOLDERS = ["content", "flex-objects", "forms", "blueprints", "themes", "plugins"];
const FILES = ["site.yaml", "system.yaml", "admin.yaml"];

/** Remembers the files of a site as they are now. */
export class SiteFiles {
  readonly #root: string;
  #known = new Map<string, { stamp: string; bytes: Buffer }>();

  constructor(root: string) {
    this.#root = root;
  }

  /** From now on, this is how they were. */
  async remember(): Promise<void> {
    this.#known = await this.#read();
  }

  /** What differs from how they were. Only files with another time or size are read. */
  async changes(): Promise<FileChange[]> {
    const now = await this.#read();
    const paths = [...new Set([...this.#known.keys(), ...now.keys()])].toSorted();
    return paths.flatMap((path) => {
      const [before, after] = [this.#known.get(path)?.bytes, now.get(path)?.bytes];
      const isSame = before !== undefined && after !== undefined && before.equals(after);
      return isSame ? [] : [{ path, before: before ?? null, after: after ?? null }];
    });
  }

  /** Writes them as they were. */
  async restore(changes: readonly FileChange[]): Promise<void> {
    for (const { path, before } of changes) {
      const file = join(this.#root, path);
      if (before === null) {
        await rm(file, { force: true });
        await removeEmpty(dirname(file));
        continue;
      }
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, before);
    }
    await this.remember();
  }

  async #read(): Promise<Map<string, { stamp: string; bytes: Buffer }>> {
    const found = new Map<string, { stamp: string; bytes: Buffer }>();
    for (const path of [...FILES, ...(await this.#paths())]) {
      const file = join(this.#root, path);
      const stats = await stat(file, { bigint: true }).catch(() => null);
      if (stats === null || !stats.isFile()) continue;
      const stamp = `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
      const known = this.#known.get(path);
      const isSame = known?.stamp === stamp;
      found.set(path, isSame ? known : { stamp, bytes: await readFile(file) });
    }
    return found;
  }

  async #paths(): Promise<string[]> {
    const lists = FOLDERS.map(async (folder) => {
      const options = { recursive: true, withFileTypes: true } as const;
      const entries = await readdir(join(this.#root, folder), options).catch(() => []);
      const files = entries.filter((entry) => entry.isFile());
      return files.map(({ parentPath, name }) =>
        join(parentPath, name).slice(this.#root.length + 1),
      );
    });
    const paths = (await Promise.all(lists)).flat();
    // Journals of steps under way, which the server writes and git leaves out.
    return paths.filter((path) => !path.includes("/.git/") && !path.startsWith("content/.steps/"));
  }
}

/** An empty folder takes the name of a page that moves. */
async function removeEmpty(folder: string): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    const isRemoved = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
