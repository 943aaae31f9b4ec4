// Runs `site backup` and `site restore` in this process.
import { backupCommand } from "../../../plugins/backup/create/backup-command.js";
import { restoreCommand } from "../../../plugins/backup/restore/restore-command.js";
import { commandOutput } from "./command-output.js";

export interface Printed {
  lines: string[];
  json: unknown[];
  errors: string[];
}

/** Backs up `root` to `out`. */
export async function backUp(
  root: string,
  out: string,
  options: Record<string, unknown> = {},
): Promise<Printed> {
  const { out: output, ...printed } = commandOutput();
  await backupCommand.run({
    root,
    args: [],
    options: { out, ...options },
    out: output,
    site: noSite,
  });
  return printed;
}

/** Restores `file` to `root`. */
export async function restore(
  file: string,
  root: string,
  options: Record<string, unknown> = {},
): Promise<Printed> {
  const { out, ...printed } = commandOutput();
  await restoreCommand.run({ root, args: [file], options, out, site: noSite });
  return printed;
}

function noSite(): Promise<never> {
  return Promise.reject(new Error("the commands work without a booted site"));
}
