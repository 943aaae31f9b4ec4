import { SiteError } from "#kernel";

/** Error codes of upgrades: what each means, and the fix. */
export const upgradeErrors = {
  ERR_UPGRADE_OPTION:
    "Two options exclude each other, or a value is invalid: correct the one that the message names.",
  ERR_UPGRADE_INSTALLATION:
    "This installation runs from sources, is global, or belongs to another package manager than npm: upgrade it with git or that package manager.",
  ERR_UPGRADE_TARGET:
    "The other version does not exist, is no package of Sitewright, or has no contract that this version can read: correct `--to`.",
  ERR_UPGRADE_NPM:
    "npm failed and the site is unchanged: fix what the message quotes, then run the command again.",
  ERR_UPGRADE_BLOCKED: "The plan has errors: fix what it lists, then upgrade.",
  ERR_UPGRADE_BACKUP:
    "The backup before the upgrade failed, and nothing was changed: fix the reported problem, or pass --no-backup when you have another one.",
  ERR_UPGRADE_CHECK:
    "The site does not work with the new version, so the former one is back: fix what the message quotes, or choose another version.",
  ERR_UPGRADE_UNDO:
    "There is no upgrade to undo, another version was installed since, or the disk rejects the former one: do what the message says.",
  ERR_UPGRADE_RUNNING:
    "Another process upgrades this installation, or npm of an upgrade that was killed still works: wait until it has ended.",
} as const;

/** Options of an error. */
interface UpgradeErrorOptions {
  /** The remedy, as an imperative. */
  fix?: string;
  /** 2: the command was called wrongly. */
  exitCode?: 2;
  /** The error that led to it. */
  cause?: unknown;
}

/** An error of this plugin. */
export function upgradeError(
  code: keyof typeof upgradeErrors,
  message: string,
  options: UpgradeErrorOptions = {},
): SiteError {
  return new SiteError(code, message, options);
}
