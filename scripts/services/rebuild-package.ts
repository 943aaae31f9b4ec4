import { join } from "node:path";
import { fileURLToPath } from "node:url";
import lockfile from "proper-lockfile";
import { cacheFolder } from "./cache-folder.js";
import { runCommand } from "./run-command.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A package whose install script `npm ci` skips here, and whether it has run. */
export interface ScriptedPackage {
  name: string;
  isBuilt(): boolean;
}

/** Runs the install script of a package if needed, in one process at a time. */
export async function rebuildPackage({ name, isBuilt }: ScriptedPackage): Promise<void> {
  if (isBuilt()) return;
  const retries = { retries: 600, factor: 1, minTimeout: 500 };
  const release = await lockfile.lock(cacheFolder("locks"), {
    lockfilePath: join(cacheFolder("locks"), `${name.replaceAll("/", "+")}.lock`),
    stale: 20_000,
    retries,
  });
  try {
    if (!isBuilt()) {
      await runCommand("npm", ["rebuild", name, "--ignore-scripts=false"], { cwd: root });
    }
  } finally {
    await release();
  }
}
