/**
 * Records what an upgrade replaces, so that `kernel/cli/restore-version.mjs` brings it back: at once after a failure, with the
 * next command or start after a kill.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { atomicWrite } from "#kernel";
import { makeFolder, ownIdentity, syncFile, syncFolder, syncTree } from "#lib/files";
import { sha256 } from "#lib/secrets";
import { upgradeError } from "../errors.js";
import { type Installation, wantedRange, withRange } from "../installation.js";

const run = promisify(execFile);

const fileShape = z.object({
  /** Absolute. */
  path: z.string(),
  /** Name of its copy in `files/`; null when the file did not exist. */
  copy: z.string().nullable(),
});
const replacedShape = z.object({
  /** Name of the package. */
  name: z.string(),
  /** Versions. */
  from: z.string(),
  to: z.string(),
  /** The site root, absolute. */
  root: z.string(),
  /** Entries of the package folder; `had`: the former version has it. */
  units: z.array(z.object({ path: z.string(), had: z.boolean() })),
  /** Files that always exist, replaced one by one. */
  files: z.array(fileShape),
});
export type Replaced = z.output<typeof replacedShape>;
const journalShape = z.object({ owner: z.object({ pid: z.number() }) });
const recordShape = replacedShape.extend({
  /** Unix ms. */
  at: z.number(),
  /** The archive from before; null without one. */
  backup: z.string().nullable(),
  /** SHA-256 of the files when the upgrade had ended, by path; null for a missing one. */
  written: z.record(z.string(), z.string().nullable()),
});
/** An upgrade that was applied and can be undone. */
export type UpgradeRecord = z.output<typeof recordShape>;

/** Writes the journal: from now on a start undoes the upgrade, unless this process runs. */
export async function writeJournal(state: string, replaced: Replaced): Promise<void> {
  const journal = { format: 1, owner: ownIdentity(), ...replaced };
  await atomicWrite(join(state, "journal.json"), JSON.stringify(journal));
  await syncFolder(state);
}

/** The process that upgrades, by its id; null without a journal. */
export async function upgradingProcess(state: string): Promise<number | null> {
  const text = await readFile(join(state, "journal.json"), "utf8").catch(() => null);
  return text === null ? null : journalShape.parse(JSON.parse(text)).owner.pid;
}

/** Copies files of the site and of the installation to `files/`, for the journal. */
export async function copyFiles(
  state: string,
  paths: readonly string[],
): Promise<Replaced["files"]> {
  const folder = join(state, "files");
  await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  const files: Replaced["files"] = [];
  for (const [at, path] of paths.entries()) {
    const copy = existsSync(path) ? String(at) : null;
    if (copy !== null) await copyFile(path, join(folder, copy));
    files.push({ path, copy });
  }
  await syncTree(folder);
  return files;
}

/** The upgrade has ended: nothing undoes it by itself from now on. */
export async function commitUpgrade(
  state: string,
  replaced: Replaced,
  backup: string | null,
): Promise<void> {
  const written: UpgradeRecord["written"] = {};
  for (const { path } of replaced.files) {
    // npm does not make its lock durable.
    if (existsSync(path)) await syncFile(path);
    written[path] = await digestFile(path);
  }
  const record: UpgradeRecord = { ...replaced, at: Date.now(), backup, written };
  await atomicWrite(join(state, "last.json"), JSON.stringify(record));
  await rm(join(state, "journal.json"), { force: true });
  await syncFolder(state);
  await rm(join(state, "new"), { recursive: true, force: true });
}

/** The last upgrade; null without one. */
export async function readRecord(state: string): Promise<UpgradeRecord | null> {
  try {
    return recordShape.parse(JSON.parse(await readFile(join(state, "last.json"), "utf8")));
  } catch {
    // None, or deleted by `npm ci`.
    return null;
  }
}

/**
 * Brings the former version back, in a process of its own: it needs no other file of the package.
 * @throws ERR_UPGRADE_UNDO.
 */
export async function undoJournal({
  state,
  packageFolder,
}: Pick<Installation, "state" | "packageFolder">): Promise<void> {
  const file = join(packageFolder, "kernel", "cli", "restore-version.mjs");
  try {
    await run(process.execPath, [file, state]);
  } catch (cause) {
    const message = "the former version could not be brought back";
    throw upgradeError("ERR_UPGRADE_UNDO", message, {
      fix: "free space or correct permissions of node_modules; the next start tries again",
      cause,
    });
  }
}

/** SHA-256 as hex; null for a missing file. */
export async function digestFile(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? null : sha256(bytes);
}

/** The result of undoing an upgrade. */
interface Undone {
  /** The version that was installed, and the one that is back. */
  readonly from: string;
  readonly to: string;
  /** The archive from before the upgrade; null without one. */
  readonly backup: string | null;
  /** Configuration files whose newer text is beside them, as `<file>.before-undo`. */
  readonly setAside: readonly string[];
}

/**
 * Brings package and configuration of the last upgrade back. Content, records and accounts stay as they are. A configuration
 * file that the upgrade did not change stays too; one that it changed and that was edited since is set aside.
 * @throws ERR_UPGRADE_UNDO without an upgrade, or when another version was installed since.
 */
export async function undoLastUpgrade(installation: Installation): Promise<Undone> {
  const { state, version } = installation;
  const record = await readRecord(state);
  if (record === null || !existsSync(join(state, "old"))) {
    throw upgradeError("ERR_UPGRADE_UNDO", "there is no upgrade to undo", {
      fix: "install the version that you want: site upgrade --apply --to <version>",
    });
  }
  if (record.to !== version) {
    const message = `the last upgrade installed ${record.to}, and now ${version} is installed`;
    throw upgradeError("ERR_UPGRADE_UNDO", message, {
      fix: `run site upgrade --apply --to ${record.from}`,
    });
  }
  const { files, setAside } = await filesToRestore(installation, record);
  const { name, from, to, root, units } = record;
  await writeJournal(state, { name, from, to, root, units, files });
  await undoJournal(installation);
  return { from: to, to: from, backup: record.backup, setAside };
}

type Files = UpgradeRecord["files"];

/** The files that the upgrade changed; later edits of them are kept first. */
async function filesToRestore(
  installation: Installation,
  { files, written }: UpgradeRecord,
): Promise<{ files: Files; setAside: string[] }> {
  const changed: Files = [];
  const setAside: string[] = [];
  for (const file of files) {
    const after = written[file.path] ?? null;
    const before = file.copy === null ? null : await digestFile(copyOf(installation, file.copy));
    if (after === before) continue;
    const now = await digestFile(file.path);
    if (now !== after && now !== null && (await keepEdits(installation, file))) {
      setAside.push(file.path);
    }
    changed.push(file);
  }
  return { files: changed, setAside };
}

function copyOf({ state }: Installation, copy: string): string {
  return join(state, "files", copy);
}

/** Keeps what was edited since; true when it is beside the file. */
async function keepEdits(
  installation: Installation,
  { path, copy }: Files[number],
): Promise<boolean> {
  const { home, name } = installation;
  if (copy !== null && path === join(home, "package.json")) {
    await keepOthers(path, copyOf(installation, copy), name);
  }
  if (!path.endsWith(".yaml")) return false;
  await copyFile(path, `${path}.before-undo`);
  return true;
}

/** The newer `package.json` with the former range: dependencies that were added since stay. */
async function keepOthers(path: string, copy: string, name: string): Promise<void> {
  const range = wantedRange(await readFile(copy, "utf8"), name);
  if (range === null) return;
  const text = withRange(await readFile(path, "utf8"), name, range);
  // Keeps the mode, which the file gets when it is put back.
  await atomicWrite(copy, text, { access: "shared" });
}
