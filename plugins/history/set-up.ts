import { join } from "node:path";
import { expectFields, expectMethods, Git, type SiteContext } from "#kernel";
import { GIT_LOCK_FIX } from "#lib/git";
import type { GitStatus } from "./contract.js";
import { GitCommits, SITE } from "./git-commits.js";
import { RevisionLog } from "./revision-log.js";
import { SaveJournal } from "./save-journal.js";
import { foundPages, toSave, Recorder } from "./recorder.js";
import { History } from "./service.js";

/** Registers what the plugin does in a site that starts. */
export function setUpHistory(site: SiteContext): void {
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
}

const off: GitStatus = { enabled: false, commits: 0, pending: 0, failed: 0, lastError: null };

/** The health message of commits that fail or wait; null: the last one succeeded. */
function commitProblem({ lastError, lock }: GitStatus): string | null {
  if (lock !== undefined)
    return `saves are not committed: the lock file ${lock} blocks git; ${GIT_LOCK_FIX}`;
  return lastError === null ? null : "the last save could not be committed to git: see the log";
}
