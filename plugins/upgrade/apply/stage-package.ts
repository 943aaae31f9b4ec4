/** Prepares the new version beside the installed one. */
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { safeJoin } from "#kernel";
import { errorCode } from "#lib/errors";
import { syncTree } from "#lib/files";
import { upgradeError } from "../errors.js";
import type { Installation } from "../installation.js";
import { npm } from "../npm.js";
import { readPackageArchive, type Target } from "../plan/target.js";

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
export async function stagePackage(installation: Installation, target: Target): Promise<string> {
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
export function removeFolder(folder: string): Promise<void> {
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
export async function commandFiles(staged: string): Promise<string[]> {
  const names = await readdir(join(staged, COMMAND));
  const last = (name: string): number => Number(name === "bin.mjs");
  return names.toSorted((a, b) => last(a) - last(b)).map((name) => join(COMMAND, name));
}
