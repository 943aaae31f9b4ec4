import { fileURLToPath } from "node:url";
import { oneAtATime } from "./one-at-a-time.js";
import { runCommand } from "./run-command.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A package whose install script `npm ci` skips here, and whether it has run. */
export interface ScriptedPackage {
  name: string;
  isBuilt(): boolean;
  /** Variables for the script. */
  env?: Record<string, string>;
}

/** Runs the install script of a package if needed, in one process at a time. */
export async function rebuildPackage({ name, isBuilt, env = {} }: ScriptedPackage): Promise<void> {
  if (isBuilt()) return;
  await oneAtATime(name, async () => {
    if (isBuilt()) return;
    await runCommand("npm", ["rebuild", name, "--ignore-scripts=false"], { cwd: root, env });
  });
}
