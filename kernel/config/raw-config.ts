import { processEnv } from "./environment/env.js";
import { mergeLayers } from "./layers.js";
import { readConfigFiles } from "./read-files.js";
import type { ConfigFile, RawConfig } from "../contracts.js";

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
