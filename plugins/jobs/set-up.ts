import { join } from "node:path";
import { expectEach, expectFields, expectKind, expectMethods, expectNullable } from "#lib/values";
import type { EngineCall, EngineCalls, SiteContext } from "#kernel";
import type { JobEngine } from "./contract.js";
import { lateJobs } from "./diagnostics.js";
import { JobFiles } from "./engines/job-files.js";
import { StoredJobs } from "./engines/stored-jobs.js";
import { JobQueue } from "./job-queue.js";

/** Registers what the plugin does in a site that starts. */
export function setUpJobs(site: SiteContext): void {
  const { engines, lifecycle, log, paths, runtime } = site;
  const slot = engines.open("jobs", jobEngineProblem, jobEngineCalls);
  const closing = new AbortController();
  const { clock, workers } = runtime;
  const store = new JobFiles(join(paths.runtime, "jobs"), workers);
  slot.register("files", new StoredJobs({ store, clock, log, signal: closing.signal }));
  slot.activate("files");
  const jobs = new JobQueue({ engine: () => slot.active, clock, log });
  site.provide("jobs", jobs);
  // One process of a site root owns the jobs: it also announces the changes that all of them find.
  engines.activate("leader", jobs);
  lifecycle.onReady(() => {
    // The plugin of another engine has activated it; an export leaves out what only a server needs.
    if (lifecycle.purpose === "serve" && slot.activeName === "files")
      slot.activate(site.settings.system.jobs.engine);
  });
  // The lock is taken while there is room on the disk; jobs that wait are run when the first requests are served.
  lifecycle.onListen(() => {
    if (slot.activeName === "files") void jobs.claim();
  });
  lifecycle.afterReady(() => jobs.open());
  lifecycle.beforeClose(async () => {
    await jobs.finish();
    closing.abort();
    await jobs.close();
  });
  site.use("health", { optional: true })?.addCheck("scheduler", () => lateJobs(jobs, clock.now()));
}

const anything: EngineCall = { result: expectKind("anything") };

const job = expectFields({
  id: ["string"],
  queue: ["string"],
  key: ["string"],
  group: ["string"],
  state: ["string"],
  attempts: ["number"],
  createdAt: ["number"],
  runAt: ["number"],
  startedAt: ["number", "null"],
  lastError: ["string", "null"],
});

/** Checks an engine of the slot `jobs`. */
const jobEngineProblem = expectMethods([
  "define",
  "open",
  "add",
  "list",
  "retry",
  "outcome",
  "idle",
  "flush",
  "status",
  "overdue",
  "claim",
  "close",
]);

/** The calls of the slot `jobs`. */
const jobEngineCalls: EngineCalls<JobEngine> = {
  define: anything,
  open: anything,
  add: { result: expectEach(expectKind("string")) },
  list: { result: expectEach(job) },
  retry: { result: job },
  outcome: { result: expectNullable(job) },
  idle: anything,
  flush: anything,
  status: { result: expectKind("object") },
  overdue: { result: expectEach(expectKind("string")) },
  claim: { result: expectKind("boolean") },
  close: anything,
};
