/**
 * Versions of each page, and commits to git, of everything that is written.
 * Provides: history.
 * Uses: content, health.
 * Opens: commitTarget.
 */
import { join } from "node:path";
import {
  definePlugin,
  type Diagnostic,
  type ExaminedSite,
  expectFields,
  expectMethods,
  Git,
} from "#kernel";
import { GIT_LOCK_FIX, gitLockCheck } from "#lib/git";
import type {} from "../content/contract.js";
import type { GitStatus } from "./contract.js";
import { GitCommits, SITE } from "./git-commits.js";
import { RevisionLog } from "./revision-log.js";
import { SaveJournal } from "./save-journal.js";
import { foundPages, toSave, Recorder } from "./recorder.js";
import { History } from "./service.js";
import { settings } from "./settings.js";
import { historyErrors } from "./errors.js";

const off: GitStatus = { enabled: false, commits: 0, pending: 0, failed: 0, lastError: null };

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
  setup(site) {
    const { maxRevisions, git_commit: isCommitting } = site.settings.admin;
    const content = site.use("content");
    const slot = site.engines.open(
      "commitTarget",
      expectFields({
        git: expectMethods(["run", "read"]),
        committer: expectFields({ name: ["string"], email: ["string"] }),
      }),
    );
    const ownTarget = { git: new Git(site.paths.root), committer: SITE };
    // Plugins fill the slot after this one is set up.
    let queue: GitCommits | null | undefined;
    const commits = (): GitCommits | null => {
      if (queue !== undefined) return queue;
      const chosen = slot.activeName === null ? null : slot.active;
      const target = chosen ?? (isCommitting ? ownTarget : null);
      return (queue = target === null ? null : new GitCommits(target, site.log));
    };
    const history = new History({
      content,
      log: new RevisionLog(join(site.paths.runtime, "history"), maxRevisions),
      clock: site.runtime.clock,
      logger: site.log,
      git: () => commits()?.status ?? off,
      commits,
    });
    site.provide("history", history);
    const health = site.use("health", { optional: true });
    health?.addSection("git", () => history.git());
    health?.addCheck("git", () => commitProblem(history.git()));
    const { workers } = site.runtime;
    const folder = join(site.paths.runtime, "history-pending");
    const journal = new SaveJournal(folder, site.log, workers.id);
    const recorder = new Recorder(site, { history, journal, commits });
    // Runs before the response, so that a crash loses neither version nor commit.
    site.changes.listen("history", async (batch) => {
      if (batch.origin !== null) return;
      for (const entry of foundPages(batch)) await recorder.found(entry);
      if (batch.isMissed === true) await recorder.missed(batch);
      const save = toSave(batch);
      if (save !== null) await recorder.save(save);
    });
    site.lifecycle.onReady(() => recorder.start());
    site.lifecycle.onClose(async () => {
      await commits()?.close();
      await history.settled();
    });
  },
});

/** The health message of commits that fail or wait; null: the last one succeeded. */
function commitProblem({ lastError, lock }: GitStatus): string | null {
  if (lock !== undefined)
    return `saves are not committed: the lock file ${lock} blocks git; ${GIT_LOCK_FIX}`;
  return lastError === null ? null : "the last save could not be committed to git: see the log";
}

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
