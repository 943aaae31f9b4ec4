/** The backups in a folder: their names, which are old, and which is the newest. */
import { readdir, rm, stat } from "node:fs/promises";
import { join, resolve, isAbsolute, relative, sep } from "node:path";

const NAME = /^backup-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(?:-\d+)?\.tar\.gz$/;

/** A backup in the folder. */
export interface StoredBackup {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** Unix ms, from the name. */
  readonly createdAt: number;
  readonly bytes: number;
}

/** The folder of backups, absolute. */
export function backupFolder(root: string, folder: string): string {
  return resolve(root, folder);
}

/** `backup-2026-11-02T03-30-00Z.tar.gz`: sorts by time. `now`: Unix ms. */
export function backupName(now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  return `backup-${time}Z.tar.gz`;
}

/** The newest first; a missing folder has none. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const backups: StoredBackup[] = [];
  for (const name of names) {
    const createdAt = parseTime(name);
    const file = join(folder, name);
    const stats = createdAt === null ? null : await stat(file).catch(() => null);
    if (createdAt !== null && stats !== null) {
      backups.push({ name, file, createdAt, bytes: stats.size });
    }
  }
  return backups.toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Deletes all but the newest `keep` backups; other files of the folder stay. Resolves with their names. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const old = (await listBackups(folder)).slice(keep);
  for (const { file } of old) await rm(file, { force: true });
  return old.map(({ name }) => name);
}

function parseTime(name: string): number | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  const time =
    day === undefined ? Number.NaN : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time) ? null : time;
}

/** `file` relative to `root` with slashes; null when it lies elsewhere. */
export function inside(root: string, file: string): string | null {
  const path = relative(root, file);
  if (path === "" || path.startsWith("..") || isAbsolute(path)) return null;
  return path.split(sep).join("/");
}
