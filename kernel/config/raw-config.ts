import type { ConfigFile, RawConfig } from "../contracts.js";
import { processEnv } from "./environment/env.js";
import { runtimeFolder } from "./kernel-settings.js";
import { mergeLayers } from "./layers.js";
import { readConfigFiles } from "./read-files.js";

/**
 * The configuration files of a site root with overlays, without loading a plugin: for commands that
 * repair a site that cannot start.
 */
export async function readRawConfig(root: string): Promise<RawConfig> {
  const { layers } = await readConfigFiles(root, processEnv());
  const merged = (file: ConfigFile): Record<string, unknown> =>
    mergeLayers(layers.filter(({ target }) => target === file));
  return { site: merged("site"), system: merged("system"), admin: merged("admin") };
}

/**
 * The runtime folder of a site root, relative to it. With an invalid `runtimeDir`, which no server runs
 * with, the default: a command must not create a folder that the configuration may not name.
 */
export async function readRuntimeFolder(root: string): Promise<string> {
  const { admin } = await readRawConfig(root);
  const { success, data } = runtimeFolder.safeParse(admin["runtimeDir"]);
  return success ? data : runtimeFolder.parse(undefined);
}
