import type { Diagnostic } from "#kernel/internal";
import type {} from "./contract.js";
import { backupFolder, listBackups } from "./create/retention.js";

const DAY_MS = 86_400_000;
/** Age of the newest backup in days: one that is late, and one that is too old. */
const LATE_DAYS = 8;
const OLD_DAYS = 35;

/** There is a backup, and it is not old. */
export const backupCheck: Diagnostic = {
  name: "backup",
  run: async ({ settings: { system }, paths }) => {
    const { folder, schedule } = system.backup;
    const [newest] = await listBackups(backupFolder(paths.root, folder));
    const fix =
      schedule === undefined
        ? 'run site backup, or set backup.schedule of system.yaml, such as "30 3 * * *"'
        : "start a server: it makes a missed backup; its log says why one fails";
    if (newest === undefined) {
      return [{ level: "warning", seen: "there is no backup in backup.folder", fix }];
    }
    const days = Math.floor((Date.now() - newest.createdAt) / DAY_MS);
    const seen = `the newest backup is ${days} days old (${newest.name})`;
    if (days < LATE_DAYS) return [{ level: "ok", seen }];
    const isError = schedule !== undefined || days >= OLD_DAYS;
    return [{ level: isError ? "error" : "warning", seen, fix }];
  },
};
