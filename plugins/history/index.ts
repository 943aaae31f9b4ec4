/**
 * Versions of each page, and commits to git, of everything that is written.
 * Provides: history.
 * Uses: content, health.
 * Opens: commitTarget.
 */
import { definePlugin, type Diagnostic, type ExaminedSite, Git } from "#kernel";
import { gitLockCheck } from "#lib/git";
import type {} from "../content/contract.js";
import { settings } from "./settings.js";
import { historyErrors } from "./errors.js";

/** No lock file that a process left blocks the commits. */
const lockCheck = gitLockCheck(({ settings, paths }: ExaminedSite) =>
  settings.admin.git_commit ? { git: new Git(paths.root), root: paths.root } : null,
);

export default definePlugin({
  name: "history",
  version: "1.0.0",
  diagnostics: [gitCheck(), lockCheck],
  onlyServing: true,
  errors: historyErrors,
  description: "Versions of pages and commits to git",
  requires: ["content"],
  after: ["health"],
  settings,
  async setup(site) {
    const { setUpHistory } = await import("./set-up.js");
    setUpHistory(site);
  },
});

/** The repository of commits works, when saves are committed. */
function gitCheck(): Diagnostic {
  return {
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
      return [{ level: "ok", seen: version.trim() }];
    },
  };
}
