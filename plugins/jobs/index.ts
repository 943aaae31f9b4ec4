/**
 * Durable background work: queues that plugins define, with retries, on an exchangeable store.
 * Provides: jobs.
 * Uses: health.
 * Opens: jobs.
 * Adds: leader.
 */
import { join } from "node:path";
import { expectFields, expectKind, expectMethods, expectNullable, shownValue } from "#lib/values";
import { definePlugin, type EngineCall, type EngineCalls } from "#kernel";
import type {} from "../health/contract.js";
import type { JobStore } from "./contract.js";
import { jobFilesCheck, lateJobs, schedulerCheck } from "./diagnostics.js";
import { JobFiles } from "./engines/job-files.js";
import { jobErrors } from "./errors.js";
import { JobQueue } from "./job-queue.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "jobs",
  version: "1.0.0",
  description: "Background jobs",
  diagnostics: [jobFilesCheck, schedulerCheck],
  errors: jobErrors,
  after: ["health"],
  settings,
  setup(site) {
    const { engines, lifecycle, log, paths, runtime } = site;
    const slot = engines.open("jobs", jobStoreProblem, jobStoreCalls);
    slot.register("files", new JobFiles(join(paths.runtime, "jobs"), runtime.workers));
    slot.activate("files");
    const closing = new AbortController();
    const jobs = new JobQueue({
      store: () => slot.active,
      clock: runtime.clock,
      log,
      signal: closing.signal,
    });
    site.provide("jobs", jobs);
    // One process of a site root owns the jobs: it also announces the changes that all of them find.
    engines.activate("leader", jobs);
    lifecycle.onReady(() => {
      // The plugin of another engine has activated it; an export leaves out what only a server needs.
      if (lifecycle.purpose === "serve" && slot.activeName === "files")
        slot.activate(site.settings.system.jobs.engine);
    });
    lifecycle.afterReady(() => jobs.open());
    lifecycle.beforeClose(async () => {
      await jobs.finish();
      closing.abort();
      await jobs.close();
    });
    site
      .use("health", { optional: true })
      ?.addCheck("scheduler", () => lateJobs(jobs, runtime.clock.now()));
  },
});

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
const jobStoreProblem = expectMethods([
  "write",
  "writeNew",
  "remove",
  "read",
  "list",
  "count",
  "open",
  "close",
]);

/** The calls of the slot `jobs`. */
const jobStoreCalls: EngineCalls<JobStore> = {
  write: anything,
  writeNew: anything,
  remove: anything,
  read: { result: expectNullable(job) },
  list: {
    result: (value) =>
      typeof value === "object" && value !== null && Symbol.asyncIterator in value
        ? null
        : `expected an async iterable, received ${shownValue(value)}`,
  },
  count: { result: expectKind("number") },
  open: anything,
  close: anything,
};
