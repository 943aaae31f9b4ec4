/** Goes back to the version before the last upgrade; what was written since stays. */
import { existsSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { upgradeError } from "../errors.js";
import { wantedRange, withRange, type Installation } from "../installation.js";
import { digestOf, readRecord, undoJournal, writeJournal, type UpgradeRecord } from "./journal.js";

/** What undoing has done. */
export interface Undone {
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
    const before = file.copy === null ? null : await digestOf(copyOf(installation, file.copy));
    if (after === before) continue;
    const now = await digestOf(file.path);
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
    await keepOthers({ path, copy: copyOf(installation, copy), name });
  }
  if (!path.endsWith(".yaml")) return false;
  await copyFile(path, `${path}.before-undo`);
  return true;
}

/** The newer `package.json` with the former range: dependencies that were added since stay. */
async function keepOthers({
  path,
  copy,
  name,
}: {
  path: string;
  copy: string;
  name: string;
}): Promise<void> {
  const range = wantedRange(await readFile(copy, "utf8"), name);
  if (range === null) return;
  const text = withRange(await readFile(path, "utf8"), name, range);
  // Keeps the mode, which the file gets when it is put back.
  await atomicWrite(copy, text, { access: "shared" });
}
