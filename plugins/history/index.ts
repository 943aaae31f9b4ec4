/**
 * Versions of each page, and commits to git, of everything that is written.
 * Provides: history.
 * Uses: content, health.
 * Opens: commitTarget.
 */
import { join, resolve } from "node:path";
import { stat } from "node:fs/promises";
import {
  definePlugin,
  type Diagnostic,
  expectFields,
  expectMethods,
  type Finding,
  Git,
} from "#kernel";
import type {} from "../content/contract.js";
import type { GitStatus } from "./contract.js";
import { GitCommits, SITE } from "./git-commits.js";
import { RevisionLog } from "./revision-log.js";
import { SaveJournal } from "./save-journal.js";
import { foundPages, toSave, Recorder } from "./recorder.js";
import { History } from "./service.js";
import { settings } from "./settings.js";
import { historyErrors } from "./errors.js";

/** A lock of git that is older belongs to no running command, in ms. */
const STALE_MS = 10 * 60_000;
const off: GitStatus = { enabled: false, commits: 0, pending: 0, failed: 0, lastError: null };

export default definePlugin({
  name: "history",
  version: "1.0.0",
  diagnostics: [gitCheck()],
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
    site.use("health", { optional: true })?.addSection("git", () => history.git());
    const { workers } = site.runtime;
    const folder = join(site.paths.runtime, "history-pending");
    const journal = new SaveJournal(folder, site.log, workers.id);
    const recorder = new Recorder(site, { history, journal, commits });
    // Runs before the response, so that a crash loses neither version nor commit.
    site.changes.listen("history", async (batch) => {
      if (batch.origin !== null) return;
      for (const entry of foundPages(batch)) await recorder.found(entry);
      const save = toSave(batch);
      if (save !== null) await recorder.save(save);
    });
    site.lifecycle.onReady(() => recorder.start());
    site.lifecycle.onClose(() => history.settled());
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
      return [{ level: "ok", seen: version.trim() }, ...(await lockFindings(folder.trim()))];
    },
  };
}

async function lockFindings(folder: string): Promise<Finding[]> {
  const file = join(resolve(folder), "index.lock");
  const stats = await stat(file).catch(() => null);
  if (stats === null || Date.now() - stats.mtimeMs < STALE_MS) return [];
  const seen = "git is locked by index.lock, which is older than ten minutes";
  // Not removed by `--fix`: another program may be at work.
  return [{ level: "error", seen, fix: "when no git command runs, delete .git/index.lock" }];
}
