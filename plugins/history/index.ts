/**
 * Versions of each page, and commits to git, of everything that is written.
 * Provides: history.
 * Uses: content, health.
 * Opens: commitTarget.
 */
import { join } from "node:path";
import { definePlugin, expectFields, expectMethods, Git } from "#kernel";
import type {} from "../content/contract.js";
import type { GitStatus } from "./contract.js";
import { GitCommits, SITE } from "./git-commits.js";
import { RevisionLog } from "./revision-log.js";
import { SaveJournal } from "./save-journal.js";
import { foundPages, toSave } from "./read-batch.js";
import { Recorder } from "./recorder.js";
import { History } from "./service.js";
import { settings } from "./settings.js";
import { historyErrors } from "./errors.js";
import { gitCheck } from "./diagnostics.js";

const off: GitStatus = { enabled: false, commits: 0, pending: 0, failed: 0, lastError: null };

export default definePlugin({
  name: "history",
  version: "1.0.0",
  diagnostics: [gitCheck],
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
    const journal = new SaveJournal(folder, { log: site.log, worker: workers.id });
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
