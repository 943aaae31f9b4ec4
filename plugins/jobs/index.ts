/**
 * Durable background work: queues that plugins define, with retries, on an exchangeable store.
 * Provides: jobs.
 * Uses: health.
 * Opens: jobs.
 * Adds: leader.
 */
import { join } from "node:path";
import { definePlugin } from "#kernel";
import type {} from "../health/contract.js";
import type {} from "./contract.js";
import { lateJobs, schedulerCheck } from "./diagnostics.js";
import { JobFiles } from "./engines/job-files.js";
import { jobErrors } from "./errors.js";
import { JobQueue } from "./job-queue.js";
import { settings } from "./settings.js";
import { jobStoreCalls, jobStoreProblem } from "./store-calls.js";

export default definePlugin({
  name: "jobs",
  version: "1.0.0",
  description: "Background jobs",
  diagnostics: [schedulerCheck],
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
