/**
 * Liveness, readiness and, with a token, the details of a running site.
 * Provides: health.
 */
import { definePlugin } from "#kernel";
import {
  configProblem,
  diskCheck,
  diskProblem,
  folderProblem,
  healthCheck,
  pluginProblem,
  runningHealthCheck,
} from "./checks.js";
import { describeHealth, healthStep } from "./middleware.js";
import { followProblems } from "./problem-note.js";
import { createReport } from "./report.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "health",
  version: "1.0.0",
  settings,
  diagnostics: [diskCheck, runningHealthCheck, healthCheck],
  setup(site) {
    const health = createReport(site);
    health.addCheck("disk", () => diskProblem(site.paths));
    health.addCheck("folders", () => folderProblem(site.paths));
    health.addCheck("plugins", () => pluginProblem(site));
    const { workers } = site.runtime;
    if (workers.id > 0)
      health.addSection("workers", () => ({ this: workers.id, all: workers.all }));
    health.addCheck("config", () => configProblem(site.runtime.configState()));
    health.addSection("config", () => site.runtime.configState());
    site.provide("health", health);
    describeHealth(site.http);
    followProblems(site, health.problems);
    site.http.edge("answer", healthStep(site, health.report));
  },
});
