/**
 * Backs up the whole site to one archive, by command or by schedule, and restores it as one step.
 * Uses: jobs, health.
 */
import { definePlugin } from "#kernel";
import type {} from "../health/contract.js";
import type {} from "../jobs/contract.js";
import { backupCommand } from "./create/backup-command.js";
import { restoreCommand } from "./restore/restore-command.js";
import type {} from "./contract.js";
import { backupErrors } from "./errors.js";
import { ScheduledBackups } from "./scheduled-backups.js";
import { settings } from "./settings.js";
import { backupCheck, backupFolderCheck } from "./diagnostics.js";

export default definePlugin({
  name: "backup",
  version: "1.0.0",
  diagnostics: [backupCheck, backupFolderCheck],
  description: "Backup and restore",
  errors: backupErrors,
  requires: ["jobs"],
  after: ["health"],
  settings,
  commands: [backupCommand, restoreCommand],
  setup(site) {
    const { schedule } = site.settings.system.backup;
    if (schedule === undefined || site.lifecycle.purpose === "export") return;
    const backups = new ScheduledBackups(site, schedule);
    site.lifecycle.onListen(() => backups.start());
    const health = site.use("health", { optional: true });
    health?.addSection("backup", () => backups.status());
    health?.addCheck("backup", () => backups.problem());
  },
});
