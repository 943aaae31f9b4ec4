import { privateFoldersCheck } from "#lib/diagnostics";
import type { Diagnostic, Finding } from "#kernel";
import type {} from "./contract.js";
import { inside, backupFolder, listBackups, type StoredBackup } from "./create/retention.js";
import { missedBackups } from "./schedule.js";

const DAY_MS = 86_400_000;
/** Without a schedule, the age of the newest backup in days: one that is late, and one that is too old. */
const LATE_DAYS = 8;
const OLD_DAYS = 35;

/** There is a backup, and none was missed. */
export const backupCheck: Diagnostic = {
  name: "backup",
  run: async ({ settings: { system }, paths }) => {
    const { folder, schedule } = system.backup;
    const [newest] = await listBackups(backupFolder(paths.root, folder));
    const isPlanned = schedule !== undefined;
    const fix = isPlanned
      ? "start a server: it makes a missed backup; its log says why one fails"
      : 'run site backup, or set backup.schedule of system.yaml, such as "30 3 * * *"';
    if (newest === undefined) {
      return [{ level: "warning", seen: "there is no backup in backup.folder", fix }];
    }
    const now = Date.now();
    const { text, level } = isPlanned
      ? byPlan(newest, schedule, system.timezone, now)
      : byAge(newest, now);
    const seen = `the newest backup is ${formatAge(newest, now)} days old (${newest.name})${text}`;
    return level === "ok" ? [{ level, seen }] : [{ level, seen, fix }];
  },
};

/** Only the owner reads backups. A folder outside of the site may contain files of others. */
export const backupFolderCheck: Diagnostic = privateFoldersCheck(({ settings, paths }) => {
  const folder = backupFolder(paths.root, settings.system.backup.folder);
  return inside(paths.root, folder) === null ? [] : [folder];
});

interface Judged {
  readonly level: Finding["level"];
  readonly text: string;
}

function byPlan(
  { createdAt }: StoredBackup,
  schedule: string,
  timezone: string,
  now: number,
): Judged {
  const { count, first } = missedBackups(createdAt, schedule, timezone, now);
  if (first === null) return { level: "ok", text: "" };
  const since = new Date(first).toISOString();
  return {
    level: count > 1 ? "error" : "warning",
    text: `: the one of ${since} was missed${count > 1 ? ", and later ones" : ""}`,
  };
}

function byAge(newest: StoredBackup, now: number): Judged {
  const days = formatAge(newest, now);
  if (days < LATE_DAYS) return { level: "ok", text: "" };
  return { level: days >= OLD_DAYS ? "error" : "warning", text: "" };
}

function formatAge({ createdAt }: StoredBackup, now: number): number {
  return Math.floor((now - createdAt) / DAY_MS);
}
