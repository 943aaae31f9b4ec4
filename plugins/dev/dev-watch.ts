import { statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { StartFiles } from "#kernel";
import { runAtOnce } from "#lib/concurrency";
import { FolderWatchers } from "#lib/files";

const MODULE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const FOREIGN = /(?:^|[\\/])(?:node_modules|\.[^\\/]*)(?:[\\/]|$)|\.test\.\w+$/;
/** Editors write a file in several steps; debounce to one restart, in ms. */
const SETTLE_MS = 100;
/** File systems set their times by a clock that may be this much behind, in ms. */
const CLOCK_MS = 20;

/** Watches the files that decide how a site starts; a watch is never removed. */
export class DevWatch {
  readonly #root: string;
  readonly #changed: (paths: readonly string[]) => void;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #packages = new Map<string, string>();
  readonly #watchers: FolderWatchers;
  #isAdding = false;
  #paths = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** `changed` receives paths relative to the root. */
  constructor(root: string, changed: (paths: readonly string[]) => void) {
    this.#root = root;
    this.#changed = changed;
    this.#watchers = new FolderWatchers({
      root,
      followsLinks: true,
      isWatched: (path) => this.#leadsToWanted(join(root, path)),
      onPath: (path) => this.#seen(path),
      // Files in a new folder.
      onFile: (path) => !this.#isAdding && this.#note(join(root, path)),
      // A folder without a watch: its files are not reported.
      onError: () => undefined,
      onUnreadable: () => undefined,
    });
  }

  /**
   * Watches more files from now on. Reports those among them that have changed since `readAt` (Unix ms),
   * when a process read them that was not watching yet.
   */
  add(more: Partial<StartFiles>, readAt = Infinity): void {
    const { files = [], folders = [], packages = new Map<string, string>() } = more;
    const added = files.filter((file) => !this.#isWanted(file));
    for (const file of added) this.#files.add(file);
    for (const folder of folders) this.#folders.add(folder);
    for (const [file, name] of packages) this.#packages.set(file, name);
    this.#isAdding = true;
    runAtOnce(this.#watchers.add(""));
    this.#isAdding = false;
    for (const file of added) if (readChangeTime(file) >= readAt - CLOCK_MS) this.#note(file);
  }

  /** The package of a path in `changed`, if a process loads it only once. */
  findPackage(path: string): string | undefined {
    return this.#packages.get(join(this.#root, path));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watchers.close();
  }

  #isWanted(path: string): boolean {
    if (this.#files.has(path) || this.#packages.has(path)) return true;
    return [...this.#folders].some((folder) => {
      if (!path.startsWith(folder + sep)) return false;
      return MODULE.test(path) && !FOREIGN.test(path.slice(folder.length + 1));
    });
  }

  #leadsToWanted(path: string): boolean {
    const targets = [...this.#files, ...this.#packages.keys(), ...this.#folders];
    if (targets.some((target) => target === path || target.startsWith(path + sep))) return true;
    // A folder below a watched one; files in it are filtered by name.
    return [...this.#folders].some((folder) => {
      const below = path.startsWith(folder + sep) ? path.slice(folder.length + 1) : "";
      return below !== "" && !FOREIGN.test(below);
    });
  }

  #seen(path: string): void {
    const file = join(this.#root, path);
    if (this.#leadsToWanted(file)) runAtOnce(this.#watchers.follow(path));
    this.#note(file);
  }

  #note(path: string): void {
    if (!this.#isWanted(path)) return;
    this.#paths.add(relative(this.#root, path));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const paths = [...this.#paths];
      this.#paths = new Set();
      this.#changed(paths);
    }, SETTLE_MS);
  }
}

/** Unix ms; no time is later for a file that does not exist. */
function readChangeTime(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? -Infinity;
}
