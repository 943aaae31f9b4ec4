import { join } from "node:path";
import { type SiteContext, SiteError } from "#kernel";
import { Conflicts } from "./conflicts.js";
import { toRemote } from "./remote.js";
import { mountConflicts, mountWebhook } from "./routes.js";
import { LeaderRuns } from "./leader-runs.js";
import { GitSync } from "./service.js";
import { SyncLoop } from "./sync-loop.js";
import { type Turn, Syncer } from "./syncer.js";
import { Workspace } from "./workspace.js";

/** Registers what the plugin does in a site that starts. */
export function setUpGitSync(site: SiteContext): void {
  const { remote } = site.settings.system.git_sync;
  if (remote !== null) setUp(site, remote);
}

/** A tag that no cache depends on: it reaches the other nodes, which then fetch. */
const PUSHED = "git-sync:pushed";

function setUp(site: SiteContext, address: string): void {
  const { branch, author, interval_seconds, push } = site.settings.system.git_sync;
  const remote = toRemote(address);
  const closing = new AbortController();
  const workspace = new Workspace(site, { remote, branch }, closing.signal);
  const conflicts = new Conflicts(join(site.paths.runtime, "git-conflicts"));
  const committer = parseAuthor(author);
  const syncer = new Syncer({
    workspace,
    remote,
    branch,
    committer,
    conflicts,
    log: site.log,
    isPushing: push,
    refusal: async () => {
      const guarded = site.use("guardedHosts", { optional: true });
      return (await guarded?.refusal(remote.url)) ?? null;
    },
    history: () => site.use("history"),
  });
  let unpushed = 0;
  const loop: SyncLoop = new SyncLoop({
    ended: () => void runs.tellOthers(),
    clock: site.runtime.clock,
    log: site.log,
    intervalMs: interval_seconds * 1000,
    lock: () => syncer.lock(),
    run: async () => {
      try {
        if (await syncer.run(createTurn(site, workspace))) await announce(site);
      } finally {
        unpushed = await syncer.unpushed().catch(() => unpushed);
      }
    },
  });
  const runs = new LeaderRuns({ site, loop, conflicts, unpushed: () => unpushed });
  const service = new GitSync({ site, workspace, conflicts, runs, remote: remote.url });
  site.provide("gitSync", service);
  site.engines.activate("commitTarget", { git: workspace.tools.git, committer });
  site.extensions.add("writeGuards", (path) => service.guard(path));
  site.extensions.add("prepareContent", () => prepare(workspace, syncer, conflicts));
  mountWebhook(site, () => void announce(site).then(() => runs.now()));
  mountConflicts(site, service);
  listen(site, workspace, runs);
  const health = site.use("health", { optional: true });
  health?.addSection("git_sync", () => service.status());
  health?.addCheck("git-sync", () => service.problem());
  site.lifecycle.onListen(() => runs.start());
  site.lifecycle.onClose(async () => {
    closing.abort();
    await loop.close();
  });
}

/** Tells the other nodes to fetch. */
async function announce(site: SiteContext): Promise<void> {
  await site.changes.publish({ changes: [], tags: new Set([PUSHED]) }).catch(() => undefined);
}

/** The first clone; the site starts without the remote when it has pages already. */
async function prepare(workspace: Workspace, syncer: Syncer, conflicts: Conflicts): Promise<void> {
  await workspace.prepare();
  await conflicts.load();
  if (!(await syncer.isUnborn())) return;
  try {
    // The tree is not loaded yet.
    await syncer.run(async (work) => void (await work()));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SiteError("ERR_GIT_SYNC_CLONE", `git_sync.remote cannot be cloned: ${why}`, {
      fix: "check git_sync.remote and git_sync.branch in system.yaml, and the access rights",
      cause,
    });
  }
}

/** Pages and records are read again in the turn in which git wrote them. */
function createTurn(site: SiteContext, workspace: Workspace): Turn {
  return async (work) => {
    let changed: readonly string[] = [];
    await site.use("content").update(async () => {
      changed = await work();
      return changed.flatMap((path) => workspace.toSource(path) ?? []);
    });
    const hasRecords = changed.some((path) => workspace.isRecord(path));
    if (hasRecords) await site.use("flex", { optional: true })?.refresh();
    if (changed.length > 0) site.log.info("git_sync.pulled", { files: changed.length });
  };
}

/** Saves are pushed soon; what another node has pushed is fetched at once. */
function listen(site: SiteContext, workspace: Workspace, runs: LeaderRuns): void {
  site.changes.listen("git-sync", (batch) => {
    const { changes, origin, tags, actor, message } = batch;
    if (origin !== null) {
      const isPushed = tags?.has(PUSHED) === true;
      // Each worker receives it.
      if (isPushed && site.runtime.workers.isLeader) void runs.now();
      return;
    }
    const records = changes.flatMap(({ kind, key }) => (kind === "record" ? [key] : []));
    const files = records.flatMap((key) => workspace.recordFile(key) ?? []);
    if (files.length > 0) {
      const text = message === "" ? `change ${records.join(", ")}` : message;
      runs.commit(files, { message: text, author: actor });
    }
    if (files.length > 0 || changes.some(({ kind }) => kind === "file")) runs.soon();
  });
}

function parseAuthor(text: string): { name: string; email: string } {
  const [, name = "", email = ""] = /^(.+) <(.+)>$/.exec(text) ?? [];
  return { name, email };
}
