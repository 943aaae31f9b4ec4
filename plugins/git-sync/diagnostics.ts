import { type Diagnostic, type ExaminedSite, Git } from "#kernel";
import { gitLockCheck } from "#lib/git";
import { toRemote } from "./remote.js";
import { repositoryFolder, safeGit } from "./workspace.js";

/** No lock file that a process left blocks the runs. */
export const lockCheck = gitLockCheck(({ settings, paths }: ExaminedSite) =>
  settings.system.git_sync.remote === null
    ? null
    : { git: new Git(repositoryFolder(paths)), root: paths.root },
);

/** The remote responds and has the branch. */
export function remoteCheck(): Diagnostic {
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
