/** `site restore`. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, type CommandInput, optionError, type Output, processEnv } from "#kernel";
import type { VerifiedArchive } from "../archive/read-archive.js";
import { backupError } from "../errors.js";
import type { DatabasePlan, RestorePlan } from "./plan-restore.js";

/** Files of one kind that a plan names. */
const MAX_SHOWN = 20;

/** `site restore <file>`: puts a backup in place, as one step. */
export const restoreCommand: Command = {
  name: "restore",
  summary: "restore a site from an archive of `site backup`, as one step",
  arguments: "<file>",
  options: [
    ["--verify", "only check the archive"],
    ["--plan", "only print what would be added, replaced and left"],
    ["--yes", "replace files"],
    ["--exact", "delete files of the site that the archive does not have"],
    ["--no-database", "restore only the files"],
    ["--json", "print JSON"],
  ],
  run: restore,
};

async function restore({ root, args, options, out }: CommandInput): Promise<void> {
  // Loaded only for this command: servers start without it.
  const { verifyArchive } = await import("../archive/read-archive.js");
  const { planRestore } = await import("./plan-restore.js");
  const { restoreSite } = await import("./restore-site.js");
  const file = await findFile(args[0] ?? "");
  const json = options["json"] === true;
  const archive = await verifyArchive(file);
  if (options["verify"] === true) {
    if (json) out.json({ valid: true, ...describe(archive) });
    else out.line(`${out.colour.green("✓")} ${sentence(archive)}, all checksums are correct`);
    return;
  }
  const env = processEnv();
  const withDatabases = options["database"] !== false;
  const target = {
    root,
    isExact: options["exact"] === true,
    databases: withDatabases
      ? { url: env.get("SITE_DB_URL"), path: env.get("SITE_DB_PATH") }
      : null,
  };
  const plan = await planRestore(archive, target);
  const isPlan = options["plan"] === true;
  if (isPlan && json) out.json({ ...describe(archive), root, plan });
  else if (!json) printPlan(plan, out, isPlan ? MAX_SHOWN : 0);
  if (isPlan) return;
  assertConfirmed(plan, options["yes"] === true);
  const bar = out.progress("files", archive.files.size);
  await restoreSite({ file, archive, plan, target, onProgress: (done) => bar.tick(done) }).finally(
    () => bar.end(),
  );
  if (json) out.json({ ...describe(archive), root, restored: true, ...counts(plan) });
  else out.line(`${out.colour.green("✓")} restored ${sentence(archive)} to ${root}`);
}

/** @throws ERR_CLI_OPTION for a path that is no file. */
async function findFile(path: string): Promise<string> {
  const file = resolve(path);
  const stats = await stat(file).catch(() => null);
  if (stats?.isFile() === true) return file;
  const what = stats === null ? "does not exist" : "is not a file";
  throw optionError(`the archive ${JSON.stringify(path)} ${what}`, {
    fix: "pass the path of an archive that site backup has written",
  });
}

function describe({ head, manifest, size }: VerifiedArchive) {
  const { version, createdAt, site, secrets } = head;
  const { schemas, consistent, leftOut } = manifest;
  return { version, createdAt, site, secrets, ...size, schemas, consistent, leftOut };
}

function sentence({ head, size }: VerifiedArchive): string {
  const origin = `${head.createdAt}, by version ${head.version}`;
  return `the backup of ${origin} (${size.files} files, ${size.bytes} bytes)`;
}

function counts({ added, replaced, same, left, deleted }: RestorePlan): Record<string, number> {
  return {
    added: added.length,
    replaced: replaced.length,
    same: same.length,
    left: left.length,
    deleted: deleted.length,
  };
}

/** `maxShown`: how many files of each kind are named; 0: only their number. */
function printPlan(plan: RestorePlan, out: Output, maxShown: number): void {
  const { red, yellow, green, dim } = out.colour;
  for (const { path, problem } of plan.conflicts) out.error(`${red("✗")} ${path} ${problem}`);
  const all = [
    [green("+"), "added", plan.added],
    [yellow("~"), "replaced", plan.replaced],
    [red("-"), "deleted", plan.deleted],
    [dim("="), "left", plan.left],
  ] as const;
  for (const [mark, word, paths] of all) {
    for (const path of paths.slice(0, maxShown)) out.line(`${mark} ${path}`);
    if (maxShown > 0 && paths.length > maxShown) {
      out.line(dim(`  and ${paths.length - maxShown} more`));
    }
    if (paths.length > 0) out.line(dim(`  ${paths.length} files ${word}`));
  }
  if (plan.same.length > 0) out.line(dim(`  ${plan.same.length} files are the same already`));
  if (plan.database !== null) printDatabase(plan.database, out);
}

function printDatabase(database: DatabasePlan, out: Output): void {
  const { red, yellow, green } = out.colour;
  if (database.problem !== null) out.error(`${red("✗")} ${database.problem}`);
  for (const table of database.tables) {
    out.line(`${database.replaced.includes(table) ? yellow("~") : green("+")} table ${table}`);
  }
  const { file } = database;
  if (file !== null)
    out.line(`${database.replaced.includes(file) ? yellow("~") : green("+")} ${file}`);
}

function assertConfirmed({ replaced, deleted, database }: RestorePlan, isConfirmed: boolean): void {
  const tables = database?.replaced.length ?? 0;
  if (isConfirmed || replaced.length + deleted.length + tables === 0) return;
  const message = `${replaced.length} files would be replaced, ${deleted.length} deleted, and ${tables} tables or databases replaced`;
  throw backupError("ERR_RESTORE_CONFIRM", message, {
    fix: "look at them with --plan, then pass --yes",
  });
}
