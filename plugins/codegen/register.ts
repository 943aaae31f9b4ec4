/** Adds a new plugin to site.yaml; keeps comments and order. */
import { addPluginEntry, ConfigFileWriter, readRawConfig } from "#kernel/internal";

/** @throws ERR_CONFIG_KEY when the plugin cannot be added to site.yaml. */
export async function assertRegistrable(root: string, src: string): Promise<void> {
  addPluginEntry((await new ConfigFileWriter(root).read("site")).text, src);
}

/** Adds the source to `plugins:`. False when an overlay in env/ overrides it. */
export async function register(root: string, src: string): Promise<boolean> {
  await new ConfigFileWriter(root).edit("site", ({ text }) => addPluginEntry(text, src));
  const { site } = await readRawConfig(root);
  return Object.values(Object(site["plugins"])).some((entry) => sourceOf(entry) === src);
}

function sourceOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "src" in entry ? entry.src : entry;
}
