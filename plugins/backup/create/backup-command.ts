/** `site backup`. */
import { join, resolve } from "node:path";
import { type Command, type CommandInput, type Output, processEnv, readRawConfig } from "#kernel";
import { inside, backupFolder, backupName } from "./retention.js";
import type { BackupReport } from "./create-backup.js";
import { backupSection } from "../settings.js";

/** `site backup`: one archive of the whole site, while it is served. */
export const backupCommand: Command = {
  name: "backup",
  summary: "write the whole site to one archive, also while it is served",
  options: [
    ["--out <file>", "the archive (default: a name with the time, in `backup.folder`)"],
    ["--with-secrets", "include .env, .npmrc and .netrc files"],
    ["--no-database", "leave out the databases of SITE_DB_URL and SITE_DB_PATH"],
    ["--json", "print JSON"],
  ],
  run: backup,
};

async function backup({ root, options, out }: CommandInput): Promise<void> {
  // Loaded only for this command: servers start without it.
  const { createBackup } = await import("./create-backup.js");
  const env = processEnv();
  const { backup: section } = (await readRawConfig(root)).system;
  const settings = backupSection.safeParse(section ?? {}).data ?? backupSection.parse({});
  const folder = backupFolder(root, settings.folder);
  const now = Date.now();
  const below = inside(root, folder);
  const target = options["out"];
  const bar = out.progress("files", 0);
  const report = await createBackup({
    root,
    out: typeof target === "string" ? resolve(target) : join(folder, backupName(now)),
    withSecrets: options["withSecrets"] === true,
    databases:
      options["database"] === false
        ? null
        : { url: env.get("SITE_DB_URL"), path: env.get("SITE_DB_PATH") },
    exclude: below === null ? settings.exclude : [...settings.exclude, below],
    now,
    onProgress: (done, total) => bar.tick(done, `of ${total}`),
  }).finally(() => bar.end());
  if (options["json"] === true) out.json(report);
  else print(report, out);
}

function print(report: BackupReport, out: Output): void {
  const { green, yellow, dim } = out.colour;
  const { leftOut } = report;
  out.line(`${green("✓")} ${report.files} files, ${report.bytes} bytes, in ${report.file}`);
  for (const name of report.databases) out.line(dim(`  with ${name}`));
  for (const { path, reason } of leftOut) {
    out.line(`  left out: ${JSON.stringify(path)} (${reason})`);
  }
  if (!report.consistent) {
    out.error(`${yellow("!")} files changed all the time: some are newer than others`);
  }
}
