/** Installs another version, checks it on the site, and goes back when a check fails. */
import { existsSync } from "node:fs";
import { rm, readdir, rename, copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join, dirname } from "node:path";
import { execFile } from "node:child_process";
import { z } from "zod";
import { atomicWrite, safeJoin } from "#kernel";
import { parseJson } from "#lib/values";
import { makeFolder, syncFolder, syncTree } from "#lib/files";
import { errorCode } from "#lib/errors";
import { upgradeError, type upgradeErrors } from "../errors.js";
import { withRange, type Installation } from "../installation.js";
import { npm } from "../npm.js";
import { type Target, readPackageArchive } from "../plan/target.js";
import { commitUpgrade, copyFiles, undoJournal, writeJournal, type Replaced } from "./journal.js";

const BACKUP_LIMIT_MS = 60 * 60_000;
const CONFIG_FILES = ["site", "system", "admin"].flatMap((file) => [
  `${file}.yaml`,
  join("config", `${file}.yaml`),
]);

const backupShape = z.object({ file: z.string() });
const checkedShape = z.object({ migrated: z.array(z.string()) });

/** An upgrade that may begin: no server runs on the root, and no other upgrade. */
export interface Upgrade {
  readonly installation: Installation;
  readonly target: Target;
  /** Absolute. */
  readonly root: string;
  /** True: the upgrade makes a backup first. */
  readonly withBackup: boolean;
  /** Limit of the check, in ms. */
  readonly checkMs: number;
  onStep(step: string): void;
}
/** The result of an upgrade. */
export interface Upgraded {
  readonly from: string;
  readonly to: string;
  /** Absolute path of the archive; null without one. */
  readonly backup: string | null;
  /** Summaries of the migrations that changed the configuration. */
  readonly migrated: readonly string[];
}

/**
 * Backs up the site, prepares the new version beside the old one, swaps them, migrates the configuration and checks the
 * site. After any failure the former version and configuration are back.
 * @throws ERR_UPGRADE_BACKUP, ERR_UPGRADE_NPM, ERR_UPGRADE_CHECK, ERR_UPGRADE_RUNNING, errors of the disk.
 */
export async function applyUpgrade(upgrade: Upgrade): Promise<Upgraded> {
  const { installation, target, onStep, withBackup } = upgrade;
  const { state } = installation;
  await makeFolder(state);
  if (withBackup) onStep("backing up the site");
  const backup = withBackup ? await backUp(upgrade) : null;
  onStep(`preparing version ${target.contract.version}`);
  const replaced = await prepare(upgrade);
  await writeJournal(state, replaced);
  try {
    await writeManifest(upgrade);
    onStep("replacing the package");
    await swapPackage(installation, replaced);
    onStep("checking the site with the new version");
    const migrated = await check(upgrade);
    await commitUpgrade(state, replaced, backup);
    return { from: replaced.from, to: replaced.to, backup, migrated };
  } catch (error) {
    onStep(`failed: bringing version ${replaced.from} back`);
    await undoJournal(installation);
    throw error;
  }
}

/** Everything that changes nothing yet; the former upgrade can no longer be undone. */
async function prepare(upgrade: Upgrade): Promise<Replaced> {
  const { state } = upgrade.installation;
  try {
    const staged = await stagePackage(upgrade.installation, upgrade.target);
    await rm(join(state, "last.json"), { force: true });
    await removeFolder(join(state, "old"));
    return await replacedBy(upgrade, staged);
  } catch (error) {
    await removeFolder(join(state, "new"));
    throw error;
  }
}

async function replacedBy(
  { installation, target, root }: Upgrade,
  staged: string,
): Promise<Replaced> {
  const { state, home, packageFolder, name, version } = installation;
  const command = (await commandFiles(staged)).map((path) => join(packageFolder, path));
  const config = CONFIG_FILES.map((path) => join(root, path)).filter((path) => existsSync(path));
  const manifests = ["package.json", "package-lock.json"].map((file) => join(home, file));
  return {
    name,
    from: version,
    to: target.contract.version,
    root,
    units: await listUnits(packageFolder, staged),
    files: await copyFiles(state, [...manifests, ...config, ...command]),
  };
}

/** Names the version in `package.json`, and in the lock if there is one: `npm ci` installs the same. */
async function writeManifest({ installation, target }: Upgrade): Promise<void> {
  const { home, manifest, name, limits } = installation;
  await atomicWrite(join(home, "package.json"), withRange(manifest, name, target.range), {
    access: "shared",
  });
  if (existsSync(join(home, "package-lock.json"))) {
    await npm(home, ["install", "--package-lock-only", ...limits.own]);
  }
}

async function backUp({ installation, root }: Upgrade): Promise<string> {
  const printed = await runSite(installation, {
    root,
    args: ["backup"],
    limitMs: BACKUP_LIMIT_MS,
    code: "ERR_UPGRADE_BACKUP",
    message: "the backup failed, and nothing was changed",
    fix: "fix the reported problem, or pass --no-backup",
  });
  return backupShape.parse(printed).file;
}

/** The new version migrates and checks: only it knows how. */
async function check({ installation, root, checkMs }: Upgrade): Promise<string[]> {
  const printed = await runSite(installation, {
    root,
    args: ["upgrade", "--check", "--migrate-from", installation.version],
    limitMs: checkMs,
    code: "ERR_UPGRADE_CHECK",
    message: "the site does not work with the new version",
    fix: `version ${installation.version} is back: fix the reported problem, then upgrade again`,
  });
  const checked = checkedShape.safeParse(printed);
  if (checked.success) return checked.data.migrated;
  throw upgradeError("ERR_UPGRADE_CHECK", "the new version did not report its check", {
    fix: `version ${installation.version} is back: choose another one`,
  });
}

/** The entries of both packages, for the journal; `kernel/` holds the command and is replaced by files. */
async function listUnits(packageFolder: string, staged: string): Promise<Replaced["units"]> {
  const [current, next] = [await readdir(packageFolder), await readdir(staged)];
  const names = [...new Set([...current, ...next])].filter((name) => name !== "kernel").toSorted();
  return names.map((path) => ({ path, had: current.includes(path) }));
}

/** Moves the staged package in place of the installed one, entry by entry; the former one is in `old/`. */
async function swapPackage(
  { state, packageFolder }: Pick<Installation, "state" | "packageFolder">,
  { units, files }: Replaced,
): Promise<void> {
  const [staged, old] = [join(state, "new"), join(state, "old")];
  await makeFolder(old);
  for (const { path, had } of units) {
    if (had) await rename(join(packageFolder, path), join(old, path));
    if (existsSync(join(staged, path))) await rename(join(staged, path), join(packageFolder, path));
  }
  // The command itself never disappears: it is what undoes an upgrade.
  for (const { path } of files.filter((file) => file.path.startsWith(packageFolder))) {
    await rename(join(staged, path.slice(packageFolder.length + 1)), path);
    await syncFolder(dirname(path));
  }
  await syncFolder(packageFolder);
}

const MAX_OUTPUT = 16 * 1_048_576;
/** Lines of a failed command that are quoted. */
const MAX_LINES = 12;

/** A command to run on a site root. */
interface SiteRun {
  readonly root: string;
  readonly args: readonly string[];
  readonly limitMs: number;
  /** The error when it fails. */
  readonly code: keyof typeof upgradeErrors;
  readonly message: string;
  readonly fix: string;
  /** True: exit code 1 is a result too, when JSON was printed. */
  readonly mayDisagree?: boolean;
}

/**
 * Runs the installed command `site` as a process: after a swap that is the other version. Resolves with the JSON that
 * it prints.
 * @throws an error with the given code.
 */
export function runSite(
  { packageFolder, home }: Pick<Installation, "packageFolder" | "home">,
  { root, args, limitMs, code, message, fix, mayDisagree = false }: SiteRun,
): Promise<unknown> {
  const bin = join(packageFolder, "kernel", "cli", "bin.mjs");
  const all = [bin, ...args, "--json", "--root", root];
  const options = {
    cwd: home,
    timeout: limitMs,
    maxBuffer: MAX_OUTPUT,
    killSignal: "SIGKILL",
  } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, all, options, (error, stdout, stderr) => {
      const isResult = error === null || (mayDisagree && error.code === 1);
      const result = isResult ? parseJson(stdout) : null;
      if (result !== null) return resolve(result);
      const reason =
        error?.killed === true ? `no result within ${limitMs / 1_000} s` : quoted(stderr);
      reject(upgradeError(code, `${message}: ${reason}`, { fix }));
    });
  });
}

function quoted(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^\s+more: /.test(line));
  return lines.slice(0, MAX_LINES).join("\n") || "no output";
}

/** Files of the package that are replaced one by one: the command must exist at every moment. */
const COMMAND = join("kernel", "cli");
/** Prefix of the folders in which npm works. Each upgrade has its own: the npm of a killed one may still be ending. */
const WORK = "stage-";
/** Waits for a process that still writes, about five seconds in all. */
const REMOVAL = { recursive: true, force: true, maxRetries: 9, retryDelay: 100 } as const;

/**
 * Unpacks the target and installs its dependencies inside it: the packages beside it stay as they are, so that the former
 * version still works with them. It is complete when `new/` of the state folder exists.
 * @throws ERR_UPGRADE_TARGET, ERR_UPGRADE_NPM, ERR_UPGRADE_RUNNING.
 */
async function stagePackage(installation: Installation, target: Target): Promise<string> {
  const { state } = installation;
  const staged = join(state, "new");
  await removeLeftovers(state);
  const work = await mkdtemp(join(state, WORK));
  try {
    await unpack(target, work);
    await installInto(work, installation);
    await syncTree(work);
    await removeFolder(staged);
    await unlessWritten(staged, () => rename(work, staged));
  } catch (error) {
    await rm(work, REMOVAL).catch(() => undefined);
    throw error;
  }
  return staged;
}

/** @throws ERR_UPGRADE_RUNNING while another process writes to the folder. */
function removeFolder(folder: string): Promise<void> {
  return unlessWritten(folder, () => rm(folder, REMOVAL));
}

/** Runs `work`, which fails while another process writes to the folder. @throws ERR_UPGRADE_RUNNING. */
async function unlessWritten(folder: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (errorCode(cause) !== "ENOTEMPTY") throw cause;
    const message = `a process of an upgrade that was killed still writes to ${folder}`;
    throw upgradeError("ERR_UPGRADE_RUNNING", message, {
      fix: "wait until it has ended, then run the command again",
      cause,
    });
  }
}

/** Folders of upgrades that were killed; one in which npm still works is left for the next upgrade. */
async function removeLeftovers(state: string): Promise<void> {
  const names = await readdir(state);
  for (const name of names.filter((one) => one.startsWith(WORK))) {
    await rm(join(state, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function unpack({ tarball }: Target, folder: string): Promise<void> {
  await readPackageArchive(
    tarball,
    () => true,
    async ({ path, isExecutable, bytes }) => {
      const to = safeJoin(folder, path);
      if (to === null) return;
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, bytes, { mode: isExecutable ? 0o755 : 0o644 });
    },
  );
}

async function installInto(
  folder: string,
  { home, limits }: Pick<Installation, "home" | "limits">,
): Promise<void> {
  const settings = join(home, ".npmrc");
  const copied = join(folder, ".npmrc");
  if (existsSync(settings)) await copyFile(settings, copied);
  try {
    await npm(folder, [
      "install",
      "--omit=dev",
      "--omit=peer",
      "--no-package-lock",
      ...limits.others,
    ]);
  } finally {
    await rm(copied, { force: true });
  }
}

/** The files of the staged command, relative to the package; the command itself last. */
async function commandFiles(staged: string): Promise<string[]> {
  const names = await readdir(join(staged, COMMAND));
  const last = (name: string): number => Number(name === "bin.mjs");
  return names.toSorted((a, b) => last(a) - last(b)).map((name) => join(COMMAND, name));
}
