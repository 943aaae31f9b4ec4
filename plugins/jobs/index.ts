/**
 * Durable background work: queues that plugins define, with retries, on an exchangeable store.
 * Provides: jobs.
 * Uses: health.
 * Opens: jobs.
 * Adds: leader.
 */
import { definePlugin } from "#kernel";
import type {} from "../health/contract.js";
import { jobErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "jobs",
  version: "1.0.0",
  description: "Background jobs",
  async diagnostics() {
    const { jobFilesCheck, schedulerCheck } = await import("./diagnostics.js");
    return [jobFilesCheck, schedulerCheck];
  },
  errors: jobErrors,
  after: ["health"],
  settings,
  async setup(site) {
    const { setUpJobs } = await import("./set-up.js");
    setUpJobs(site);
  },
});
