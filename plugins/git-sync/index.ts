/**
 * Keeps the pages in step with a branch of a git remote: clones, pulls, commits, pushes, lists conflicts.
 * Provides: gitSync.
 * Uses: content, history, flex, health, security, admin.
 * Adds: commitTarget, prepareContent, writeGuards.
 */
import { definePlugin, type Diagnostic, type ExaminedSite, Git } from "#kernel";
import { gitLockCheck } from "#lib/git";
import type {} from "./contract.js";
import { gitSyncErrors } from "./errors.js";
import { toRemote } from "./remote.js";
import { settings } from "./settings.js";
import { repositoryFolder, safeGit } from "./workspace.js";

/** No lock file that a process left blocks the runs. */
const lockCheck = gitLockCheck(({ settings, paths }: ExaminedSite) =>
  settings.system.git_sync.remote === null
    ? null
    : { git: new Git(repositoryFolder(paths)), root: paths.root },
);

export default definePlugin({
  name: "git-sync",
  version: "1.0.0",
  diagnostics: [remoteCheck(), lockCheck],
  onlyServing: true,
  description: "Pages from a git repository, and back to it",
  errors: gitSyncErrors,
  requires: ["content", "history", "security"],
  after: ["flex", "health", "admin", "outbound"],
  settings,
  async setup(site) {
    const { setUpGitSync } = await import("./set-up.js");
    setUpGitSync(site);
  },
});

/** The remote responds and has the branch. */
function remoteCheck(): Diagnostic {
  return {
    name: "git remote",
    run: async ({ settings: { system }, paths }) => {
      const { remote: address, branch } = system.git_sync;
      if (address === null) return [];
      const fix = "correct git_sync.remote and git_sync.branch, or the key to the remote";
      try {
        const { git } = safeGit(paths.root, toRemote(address), AbortSignal.timeout(8_000));
        const listed = await git.run(["ls-remote", "--heads", toRemote(address).url, branch]);
        if (listed.trim() !== "")
          return [{ level: "ok", seen: `the remote has the branch ${branch}` }];
        return [{ level: "error", seen: `the remote has no branch ${branch}`, fix }];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [{ level: "error", seen: `the remote does not respond: ${reason}`, fix }];
      }
    },
  };
}
