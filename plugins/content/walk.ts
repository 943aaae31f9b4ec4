/** Finds the content files of the tree; links are followed only inside it. */
import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import { join, sep } from "node:path";
import type { ContentProblem } from "./contract.js";
import { errorCode } from "./read-source.js";
import type { Sliced } from "./slices.js";
import { isIgnoredName, joinPath, parseFileName, type NameRules } from "./source-name.js";

/** Where the tree lies and what belongs to it. */
export interface TreeRules extends NameRules {
  /** Absolute path of the content folder. */
  root: string;
  /** True for paths below the root that hold something else (data, themes, configuration). */
  isReserved(path: string): boolean;
}
/** A content file: its path below the root, and the file to open. */
export interface FoundFile {
  sourcePath: string;
  /** Absolute, without links in its last segment. */
  file: string;
}
/** What a walk found. */
export interface Walk {
  files: FoundFile[];
  problems: ContentProblem[];
  /** Folders (below the root) that could not be read: what was known of them stands. */
  unreadable: string[];
}

/** Walks the folder (empty: everything) in path order. */
export function* walkTree(rules: TreeRules, folder = ""): Sliced<Walk> {
  const walk: Walk = { files: [], problems: [], unreadable: [] };
  const walker = new Walker(rules, walk);
  const pending: { path: string; directory: string }[] = [
    { path: folder, directory: join(rules.root, folder) },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    pending.push(...walker.readFolder(next.path, next.directory));
    yield;
  }
  return walk;
}

class Walker {
  readonly #rules: TreeRules;
  readonly #walk: Walk;
  #realRoot: string | null = null;

  constructor(rules: TreeRules, walk: Walk) {
    this.#rules = rules;
    this.#walk = walk;
  }

  /** Takes the files of a folder; returns its folders. */
  readFolder(path: string, directory: string): { path: string; directory: string }[] {
    const folders: { path: string; directory: string }[] = [];
    for (const item of this.#list(path, directory)) {
      const below = joinPath(path, item.name);
      if (isIgnoredName(item.name) || this.#rules.isReserved(below)) continue;
      const target = join(directory, item.name);
      if (item.isFile()) this.#take(below, target, item.name);
      else if (item.isDirectory()) folders.push({ path: below, directory: target });
      else if (item.isSymbolicLink()) folders.push(...this.#follow(below, target, item.name));
    }
    return folders;
  }

  #list(path: string, directory: string): Dirent[] {
    try {
      return readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      const code = errorCode(error);
      if (path !== "" && (code === "ENOENT" || code === "ENOTDIR")) return [];
      this.#walk.unreadable.push(path);
      this.#report(
        path,
        "ERR_CONTENT_READ",
        `the folder cannot be read (${code}); check its permissions`,
      );
      return [];
    }
  }

  #take(sourcePath: string, file: string, name: string): void {
    if (parseFileName(name, this.#rules) !== null) this.#walk.files.push({ sourcePath, file });
  }

  #follow(path: string, link: string, name: string): { path: string; directory: string }[] {
    const target = this.#insideTarget(link);
    if (target === null) {
      const message = "the link leads out of the content folder or nowhere; it is skipped";
      this.#report(path, "ERR_CONTENT_LINK", message);
      return [];
    }
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isFile() === true) this.#take(path, target, name);
    if (stats?.isDirectory() !== true) return [];
    if (!`${link}${sep}`.startsWith(`${target}${sep}`) && !this.#containsRealFolder(link, target)) {
      return [{ path, directory: target }];
    }
    this.#report(path, "ERR_CONTENT_LINK", "the link leads in a circle; it is skipped");
    return [];
  }

  /** True when the link lies, links resolved, in the folder it leads to. */
  #containsRealFolder(link: string, target: string): boolean {
    const parent = realpathSync(join(link, ".."));
    return `${parent}${sep}`.startsWith(`${target}${sep}`);
  }

  #insideTarget(link: string): string | null {
    try {
      this.#realRoot ??= realpathSync(this.#rules.root);
      const target = realpathSync(link);
      const relative = target
        .slice(this.#realRoot.length + 1)
        .split(sep)
        .join("/");
      if (!target.startsWith(`${this.#realRoot}${sep}`) || this.#rules.isReserved(relative))
        return null;
      return relative.split("/").some(isIgnoredName) ? null : target;
    } catch (error) {
      if (errorCode(error) === "ERROR") throw error;
      return null;
    }
  }

  #report(sourcePath: string, code: ContentProblem["code"], message: string): void {
    this.#walk.problems.push({ sourcePath, severity: "error", code, message });
  }
}
