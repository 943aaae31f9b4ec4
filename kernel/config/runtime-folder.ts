import { runtimeFolder } from "./kernel-settings.js";
import { readRawConfig } from "./read-files.js";

/**
 * The runtime folder of a site root, relative to it. With an invalid `runtimeDir`, which no server runs
 * with, the default: a command must not create a folder that the configuration may not name.
 */
export async function readRuntimeFolder(root: string): Promise<string> {
  const { admin } = await readRawConfig(root);
  const { success, data } = runtimeFolder.safeParse(admin["runtimeDir"]);
  return success ? data : runtimeFolder.parse(undefined);
}
