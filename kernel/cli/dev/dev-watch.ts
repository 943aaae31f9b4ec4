import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { FolderWatchers } from "#lib/files";
import { runAtOnce } from "#lib/concurrency";
import { isRecord } from "#lib/values";
import { packageName } from "../../boot/packages/resolve-package.js";
import { pluginEntries } from "../../config/plugins/plugin-entries.js";
import { readConfigFiles } from "../../config/read-files.js";
import type { Env } from "../../contracts.js";
import type { FirstParty } from "../../boot/load-site.js";

/** The files that `site dev` watches beside content and themes, which the site watches itself. */
export interface DevFiles {
  /**
   * Absolute files: a change of one restarts the site. Includes what npm writes when it installs a missing
   * package.
   */
  files: readonly string[];
  /** Absolute folders: a change of a module in one restarts the site. */
  folders: readonly string[];
  /** Absolute files of packages, which a process loads once, mapped to the package name. */
  packages: ReadonlyMap<string, string>;
}

const CONFIG = ["site.yaml", "system.yaml", "admin.yaml"];
/** The files that `npm install` and then `site lockfile:sync` write last. */
const WRITTEN_LAST = [join("node_modules", ".package-lock.json"), "site.lock"];
const MODULE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const FOREIGN = /(?:^|[\\/])(?:node_modules|\.[^\\/]*)(?:[\\/]|$)|\.test\.\w+$/;
/** Editors write a file in several steps; debounce to one restart, in ms. */
const SETTLE_MS = 100;
/** File systems set their times by a clock that may be this much behind, in ms. */
const CLOCK_MS = 20;

/** How `devFiles` reads the configuration. */
export interface DevFilesOptions {
  env: Env;
  firstParty: FirstParty;
  /** Names of the plugins to select; absent: those of the configuration. */
  selection?: readonly string[];
}

/**
 * The configuration files of a site, and the plugins and packages that the configuration currently names.
 * @throws ERR_CONFIG_ROOT
 */
export async function devFiles(root: string, options: DevFilesOptions): Promise<DevFiles> {
  const read = await readConfigFiles(root, options.env);
  const names = options.firstParty.plugins.map(({ name }) => name);
  const { entries } = pluginEntries(read, names, options.selection);
  // An entry whose file does not exist is a problem; watch for its file.
  const sources = [...entries.flatMap(({ src }) => src ?? []), ...sourcesIn(read.plugins)];
  const own = sources.filter((src) => src.startsWith("./")).map((src) => join(root, src));
  const overlay = join("env", options.env.mode);
  const config = ["", "config", overlay].flatMap((folder) =>
    CONFIG.map((name) => join(root, folder, name)),
  );
  const packages = new Map<string, string>();
  const missing: string[] = [];
  for (const src of sources.filter((one) => !one.startsWith("./"))) {
    const name = await packageName(src, root);
    const manifest = name === null ? null : join(root, "node_modules", name, "package.json");
    if (name !== null && manifest !== null && existsSync(manifest)) {
      packages.set(manifest, name);
      continue;
    }
    if (manifest !== null) missing.push(manifest);
    for (const file of WRITTEN_LAST) missing.push(join(root, file));
  }
  return {
    files: [...config, ...own, ...missing],
    folders: own.map((file) => dirname(file)).filter((folder) => folder !== root),
    packages,
  };
}

/** Every `src` in the value of `plugins:`, even of invalid entries. */
function sourcesIn(plugins: unknown): string[] {
  if (typeof plugins !== "object" || plugins === null) return [];
  return Object.values(plugins).flatMap((entry: unknown) => {
    const src = isRecord(entry) ? entry["src"] : entry;
    return typeof src === "string" ? [src] : [];
  });
}

/** Watches those files; a watch is never removed. */
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
  add(more: Partial<DevFiles>, readAt = Infinity): void {
    const { files = [], folders = [], packages = new Map<string, string>() } = more;
    const added = files.filter((file) => !this.#isWanted(file));
    for (const file of added) this.#files.add(file);
    for (const folder of folders) this.#folders.add(folder);
    for (const [file, name] of packages) this.#packages.set(file, name);
    this.#isAdding = true;
    runAtOnce(this.#watchers.add(""));
    this.#isAdding = false;
    for (const file of added) if (changedAt(file) >= readAt - CLOCK_MS) this.#note(file);
  }

  /** The package of a path in `changed`, if a process loads it only once. */
  packageOf(path: string): string | undefined {
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
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? -Infinity;
}
