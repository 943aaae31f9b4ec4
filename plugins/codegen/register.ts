/** Names a plugin that was just written in site.yaml; comments and order stay. */
import { addPluginEntry, ConfigFileWriter, readRawConfig } from "#kernel";

/** @throws ERR_CONFIG_KEY when site.yaml cannot take another plugin; nothing is written. */
export async function assertRegistrable(root: string, src: string): Promise<void> {
  addPluginEntry((await new ConfigFileWriter(root).read("site")).text, src);
}

/** Adds the source to `plugins:`. False when an overlay in env/ hides what was added. */
export async function register(root: string, src: string): Promise<boolean> {
  await new ConfigFileWriter(root).edit("site", ({ text }) => addPluginEntry(text, src));
  const { site } = await readRawConfig(root);
  return Object.values(Object(site["plugins"])).some((entry) => sourceOf(entry) === src);
}

function sourceOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "src" in entry ? entry.src : entry;
}
