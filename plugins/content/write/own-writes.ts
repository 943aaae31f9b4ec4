/** Distinguishes the site's own writes from external changes. */
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../read/read-source.js";

const MAX_PATHS = 2_000;
const MISSING = "missing";

/** File states after the last writes. An event for an unchanged state is an echo. */
export class OwnWrites {
  readonly #stamps = new Map<string, string>();

  /** Records written, moved and deleted absolute paths. Call it before other readers can see them. */
  async note(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.#stamps.delete(path);
      this.#stamps.set(path, await stampOf(path));
    }
    for (const oldest of this.#stamps.keys()) {
      if (this.#stamps.size <= MAX_PATHS) break;
      this.#stamps.delete(oldest);
    }
  }

  /** The paths that are unchanged since the last write. */
  async echoes(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const echoes = new Set<string>();
    for (const path of paths) {
      const noted = this.#stamps.get(path);
      if (noted === undefined) continue;
      if ((await stampOf(path)) === noted) echoes.add(path);
      else this.#stamps.delete(path);
    }
    return echoes;
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await lstat(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return isMissing(error) ? MISSING : "unreadable";
  }
}

/** Folders above a path, nearest first, below the content folder. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) folders.push(at);
  return folders;
}

/** `paths` below `root` as absolute paths. */
export function absolute(root: string, paths: Iterable<string>): string[] {
  return [...paths].map((path) => join(root, path));
}
