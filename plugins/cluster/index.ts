/**
 * Connects several servers of one site: changes, one writer at a time, one announcement per change.
 * Provides: cluster.
 * Uses: content, flex, health.
 * Adds: writeLock, changeAnnouncer, leader.
 * Fires: onFlexChange.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { clusterErrors } from "./errors.js";
import { settings } from "./settings.js";

const packages = new OptionalPackages({
  plugin: "cluster",
  packages: ["pg", "kysely"],
  neededBy: ({ settings: { system } }) => (system.cluster.enabled ? "cluster.enabled" : null),
});

export default definePlugin({
  name: "cluster",
  version: "1.0.0",
  async diagnostics() {
    const { postgresCheck } = await import("#lib/diagnostics");
    return [packages.diagnostic, postgresCheck(({ system }) => system.cluster.enabled)];
  },
  onlyServing: true,
  description: "Several servers for one site",
  errors: clusterErrors,
  after: ["content", "flex", "health", "history", "jobs", "webhooks"],
  settings,
  async commands() {
    const { statusCommand } = await import("./commands.js");
    return [statusCommand()];
  },
  async setup(site) {
    const { enabled } = site.settings.system.cluster;
    if (enabled) await packages.assertInstalled(site);
    else if (site.runtime.workers.id === 0) return;
    const { setUpCluster } = await import("./set-up.js");
    setUpCluster(site);
  },
});
