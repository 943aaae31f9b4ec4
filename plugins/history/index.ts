/**
 * Versions of each page, and commits to git, of everything that is written.
 * Provides: history.
 * Uses: content, health.
 * Opens: commitTarget.
 */
import { join } from "node:path";
import { definePlugin, type SiteContext } from "#kernel";
import { Git } from "#kernel/internal";
import type {} from "../content/contract.js";
import type { GitStatus } from "./contract.js";
import type { SavedStep } from "./exact-commit.js";
import { GitCommits, SITE, type SavedFiles } from "./git-commits.js";
import { RevisionLog } from "./revision-log.js";
import { SaveJournal, type PendingSave, type Save, type SavedChange } from "./save-journal.js";
import { foundPages, toSave } from "./read-batch.js";
import { History } from "./service.js";
import { settings } from "./settings.js";
import { historyErrors } from "./errors.js";

const off: GitStatus = { enabled: false, commits: 0, pending: 0, failed: 0, lastError: null };

export default definePlugin({
  name: "history",
  version: "1.0.0",
  onlyServing: true,
  errors: historyErrors,
  description: "Versions of pages and commits to git",
  requires: ["content"],
  after: ["health"],
  settings,
  setup(site) {
    const { maxRevisions, git_commit: isCommitting } = site.settings.admin;
    const content = site.use("content");
    const slot = site.engines.open("commitTarget");
    const ownTarget = { git: new Git(site.paths.root), committer: SITE };
    // Plugins fill the slot after this one is set up.
    let queue: GitCommits | null | undefined;
    const commits = (): GitCommits | null => {
      if (queue !== undefined) return queue;
      const target = slot.all[0] ?? (isCommitting ? ownTarget : null);
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
    const journal = new SaveJournal(join(site.paths.runtime, "history-pending"), site.log);
    const keep = ({ save, finish }: PendingSave, options: { isAgain: boolean }): void => {
      const recorded = history.applied(save, options);
      const finished = async (): Promise<void> => {
        await recorded;
        await finish().catch((error: unknown) => {
          site.log.warn("history.journal_failed", { error: String(error) });
        });
      };
      const target = commits();
      if (target === null) history.after(finished);
      else target.add(toCommit(site, save), finished);
    };
    // Runs before the response, so that a crash loses neither version nor commit.
    site.changes.listen("history", async (batch) => {
      if (batch.origin !== null) return;
      for (const entry of foundPages(batch)) history.found(entry);
      const save = toSave(batch);
      if (save !== null) await journal.add(save, (pending) => keep(pending, { isAgain: false }));
    });
    site.lifecycle.onReady(async () => {
      const left = await journal.left();
      const [oldest] = left;
      if (oldest !== undefined) commits()?.recover(oldest.save.at);
      for (const pending of left) keep(pending, { isAgain: true });
    });
    site.lifecycle.onClose(() => history.settled());
  },
});

function toCommit(site: SiteContext, { changes, actor, message, at }: Save): SavedFiles {
  const paths = changes.flatMap((change) =>
    change.op === "move" ? [change.path, change.to] : [change.path],
  );
  return {
    files: paths.map((path) => join(site.paths.content, path)),
    exact: savedSteps(site, changes),
    at,
    message: message ?? summary(changes),
    author: actor,
  };
}

/** The steps of these changes, in order, independent of later saves. */
function savedSteps(site: SiteContext, changes: readonly SavedChange[]): SavedStep[] {
  const at = (path: string): string => join(site.paths.content, path);
  return changes.map((change) =>
    change.op === "move"
      ? { from: at(change.path), to: at(change.to) }
      : { path: at(change.path), bytes: change.after },
  );
}

function summary([first, ...rest]: readonly SavedChange[]): string {
  if (first === undefined) return "change pages";
  const verb = first.op === "move" ? "move" : describe(first);
  return `${verb} ${first.path}${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

function describe({ before, after }: Exclude<SavedChange, { op: "move" }>): string {
  if (after === null) return "delete";
  return before === null ? "create" : "update";
}
