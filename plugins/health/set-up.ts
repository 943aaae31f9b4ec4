import type { SiteContext } from "#kernel";
import { configProblem, diskProblem, folderProblem, pluginProblem } from "./checks.js";
import { describeHealth, healthStep } from "./middleware.js";
import { followProblems } from "./problem-note.js";
import { createReport } from "./report.js";

/** Registers what the plugin does in a site that starts. */
export function setUpHealth(site: SiteContext): void {
  const health = createReport(site);
  health.addCheck("disk", () => diskProblem(site.paths));
  health.addCheck("folders", () => folderProblem(site.paths));
  health.addCheck("plugins", () => pluginProblem(site));
  const { workers } = site.runtime;
  if (workers.id > 0) health.addSection("workers", () => ({ this: workers.id, all: workers.all }));
  health.addCheck("config", () => configProblem(site.runtime.configState()));
  health.addSection("config", () => site.runtime.configState());
  site.provide("health", health);
  describeHealth(site.http);
  followProblems(site, health.problems);
  site.http.edge("answer", healthStep(site, health.report));
}
