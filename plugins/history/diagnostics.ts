import { type Diagnostic, type ExaminedSite, Git } from "#kernel";
import { gitLockCheck } from "#lib/git";

/** No lock file that a process left blocks the commits. */
export const lockCheck = gitLockCheck(({ settings, paths }: ExaminedSite) =>
  settings.admin.git_commit ? { git: new Git(paths.root), root: paths.root } : null,
);

/** The repository of commits works, when saves are committed. */
export function gitCheck(): Diagnostic {
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
