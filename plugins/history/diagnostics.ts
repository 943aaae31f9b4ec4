import { Git } from "#kernel";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Diagnostic, Finding } from "#kernel/internal";
import type {} from "./contract.js";

/** A lock of git that is older belongs to no running command, in ms. */
const STALE_MS = 10 * 60_000;

/** The repository of commits works, when saves are committed. */
export const gitCheck: Diagnostic = {
  name: "git",
  run: async ({ settings, paths }) => {
    if (!settings.admin.git_commit) return [];
    const git = new Git(paths.root);
    const version = await git.run(["--version"]).catch(() => null);
    if (version === null) {
      return [{ level: "error", seen: "git cannot be started", fix: "install git" }];
    }
    const folder = await git.run(["rev-parse", "--absolute-git-dir"]).catch(() => null);
    if (folder === null) {
      const seen = "git_commit is on, and the site root is not a git repository";
      return [{ level: "error", seen, fix: "git init, or git_commit: false in admin.yaml" }];
    }
    return [{ level: "ok", seen: version.trim() }, ...(await lockFindings(folder.trim()))];
  },
};

async function lockFindings(folder: string): Promise<Finding[]> {
  const file = join(resolve(folder), "index.lock");
  const found = await stat(file).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs < STALE_MS) return [];
  const seen = "git is locked by index.lock, which is older than ten minutes";
  // Not removed by `--fix`: another program may be at work.
  return [{ level: "error", seen, fix: "when no git command runs, delete .git/index.lock" }];
}
