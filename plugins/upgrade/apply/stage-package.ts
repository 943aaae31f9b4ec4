/** Prepares the new version beside the installed one. */
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { safeJoin } from "#kernel";
import { syncTree } from "#kernel/internal";
import type { Installation } from "../installation.js";
import { npm } from "../npm.js";
import { readPackageArchive } from "../plan/package-archive.js";
import type { Target } from "../plan/target.js";

/** Files of the package that are replaced one by one: the command must exist at every moment. */
const COMMAND = join("kernel", "cli");

/**
 * Unpacks the target to `new/` of the state folder and installs its dependencies inside it: the packages beside it stay as
 * they are, so that the former version still works with them.
 * @throws ERR_UPGRADE_TARGET, ERR_UPGRADE_NPM.
 */
export async function stagePackage(
  { home, state, limits }: Installation,
  { tarball }: Target,
): Promise<string> {
  const staged = join(state, "new");
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { recursive: true });
  await readPackageArchive(
    tarball,
    () => true,
    async ({ path, isExecutable, bytes }) => {
      const to = safeJoin(staged, path);
      if (to === null) return;
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, bytes, { mode: isExecutable ? 0o755 : 0o644 });
    },
  );
  const settings = join(home, ".npmrc");
  const copied = join(staged, ".npmrc");
  if (existsSync(settings)) await copyFile(settings, copied);
  try {
    await npm(staged, [
      "install",
      "--omit=dev",
      "--omit=peer",
      "--no-package-lock",
      ...limits.others,
    ]);
  } finally {
    await rm(copied, { force: true });
  }
  await syncTree(staged);
  return staged;
}

/** The files of the staged command, relative to the package; the command itself last. */
export async function commandFiles(staged: string): Promise<string[]> {
  const names = await readdir(join(staged, COMMAND));
  const last = (name: string): number => Number(name === "bin.mjs");
  return names.toSorted((a, b) => last(a) - last(b)).map((name) => join(COMMAND, name));
}
