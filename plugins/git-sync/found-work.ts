/** Commits files that were changed on the disk and not saved through the site. */
import { join } from "node:path";
import type { HistoryService } from "../history/contract.js";
import type { Workspace } from "./workspace.js";

/** Runs work that changes files and returns their paths in the repository, while no page is written. */
export type Turn = (work: () => Promise<readonly string[]>) => Promise<void>;
/** Above this, the whole scope is committed instead of single files. */
const MAX_FILES = 500;

/** What no commit contains yet. */
export class FoundWork {
  readonly #workspace: Workspace;
  readonly #history: () => HistoryService;

  constructor(workspace: Workspace, history: () => HistoryService) {
    this.#workspace = workspace;
    this.#history = history;
  }

  /** Commits it, so that merging never meets work that only the disk has. */
  async commit(turn: Turn): Promise<void> {
    await this.#history().settled();
    const before = await this.#changed();
    if (before.length === 0) return;
    // A save may have written its file, but not queued its commit, which names its author.
    await turn(() => Promise.resolve([]));
    await this.#history().settled();
    const now = new Set(await this.#changed());
    const paths = before.filter((path) => now.has(path));
    if (paths.length === 0) return;
    const { root, scope } = this.#workspace;
    const shown = paths.length > MAX_FILES ? scope : paths;
    const message = `change ${paths.length === 1 ? paths[0] : `${paths.length} files`} on the disk`;
    await this.#history().commit(
      shown.map((path) => join(root, path)),
      { message, author: null },
    );
  }

  async #changed(): Promise<string[]> {
    const { tools, scope } = this.#workspace;
    const options = ["--porcelain", "-z", "--untracked-files=all", "--no-renames"];
    const args = ["status", ...options, "--ignore-submodules=all", "--", ...scope];
    const listed = await tools.git.run(args);
    return listed.split("\0").flatMap((line) => (line.length > 3 ? [line.slice(3)] : []));
  }
}
