import { SiteError } from "#kernel";
import { errorCode } from "#lib/errors";

/** Error codes of backups, each with its meaning and fix. */
export const backupErrors = {
  ERR_BACKUP_BUSY: "Another process makes a backup of this site root: wait for it.",
  ERR_BACKUP_WRITE:
    "The archive cannot be written: the message says why. No unfinished archive is left.",
  ERR_BACKUP_VERIFY:
    "The archive was written, but `site restore` would reject it: the message says why. It was deleted.",
  ERR_BACKUP_READ:
    "A file of the site cannot be read: run the command as the user of the server, or name the file in `backup.exclude`.",
  ERR_BACKUP_CHANGED:
    "A file became shorter while it was read, because a program writes it in place: run `site backup` again.",
  ERR_BACKUP_DATABASE:
    "The database cannot be read or written: correct SITE_DB_URL or SITE_DB_PATH, or leave it out with --no-database.",
  ERR_BACKUP_ARCHIVE:
    "The archive is damaged, incomplete or was not made by `site backup`: the message says what is wrong. Nothing was written: take another backup.",
  ERR_BACKUP_FORMAT:
    "A newer version of Sitewright has made the archive: restore it with that version.",
  ERR_RESTORE_CONFLICT:
    "The site root has a folder or a link where the archive has a file, or the reverse: move it away, then restore again.",
  ERR_RESTORE_CONFIRM:
    "The restore would replace or delete files: look at them with --plan, then pass --yes.",
  ERR_RESTORE_SPACE: "The disk has too little free space for the restored files: free some.",
  ERR_RESTORE_WRITE: "The disk rejected a restored file: the site is as it was before.",
  ERR_ROOT_SWAP:
    "Another process replaces files of this site root, or the record of an interrupted replacement is damaged: the message says which.",
} as const;

/** Options of an error. */
interface BackupErrorOptions {
  /** The remedy, as an imperative. */
  fix?: string;
  /** The error that led to it. */
  cause?: unknown;
}

/** An error of this plugin, with its code. */
export function backupError(
  code: keyof typeof backupErrors,
  message: string,
  options: BackupErrorOptions = {},
): SiteError {
  return new SiteError(code, message, options);
}

/** The error for a file of the site; errors of this plugin are returned unchanged. */
export function unreadable(path: string, error: unknown): unknown {
  if (error instanceof SiteError) return error;
  const message = `${JSON.stringify(path)} cannot be read: ${errorCode(error) || String(error)}`;
  return backupError("ERR_BACKUP_READ", message, {
    fix: "run the command as the user of the server, or name it in backup.exclude",
    cause: error,
  });
}
