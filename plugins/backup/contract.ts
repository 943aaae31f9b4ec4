/** Backups as other plugins see them: their settings. */

/** `backup` of system.yaml. */
export interface BackupSettings {
  /** A cron pattern; absent: no schedule. */
  schedule?: string | undefined;
  /** Relative to the site root, or absolute. */
  folder: string;
  /** Number of backups in the folder. */
  keep: number;
  /** Paths relative to the site root. */
  exclude: string[];
}

declare module "#kernel" {
  interface SystemSettings {
    backup: BackupSettings;
  }
}
