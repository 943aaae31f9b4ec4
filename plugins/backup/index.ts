/**
 * Backs up the whole site to one archive, by command or by schedule, and restores it as one step.
 * Uses: jobs, health.
 */
import { definePlugin } from "#kernel";
import type {} from "../health/contract.js";
import type {} from "../jobs/contract.js";
import type {} from "./contract.js";
import { backupErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "backup",
  version: "1.0.0",
  async diagnostics() {
    const { backupCheck, backupFolderCheck } = await import("./diagnostics.js");
    return [backupCheck, backupFolderCheck];
  },
  description: "Backup and restore",
  errors: backupErrors,
  requires: ["jobs"],
  after: ["health"],
  settings,
  async commands() {
    const { backupCommand } = await import("./create/backup-command.js");
    const { restoreCommand } = await import("./restore/restore-command.js");
    return [backupCommand, restoreCommand];
  },
  async setup(site) {
    const { schedule } = site.settings.system.backup;
    if (schedule === undefined || site.lifecycle.purpose === "export") return;
    const { ScheduledBackups } = await import("./scheduled-backups.js");
    const backups = new ScheduledBackups(site, schedule);
    site.lifecycle.onListen(() => backups.start());
    const health = site.use("health", { optional: true });
    health?.addSection("backup", () => backups.status());
    health?.addCheck("backup", () => backups.problem());
  },
});
