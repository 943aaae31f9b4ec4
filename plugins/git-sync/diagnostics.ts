import type { Diagnostic } from "#kernel/internal";
import type {} from "./contract.js";
import { toRemote } from "./remote.js";
import { safeGit } from "./safe-git.js";

/** The remote responds and has the branch. */
export const remoteCheck: Diagnostic = {
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
