import type { LoadedPlugin } from "./load-plugins.js";

/**
 * The plugins of a static export: without those that only a server needs, and those that require one
 * of them.
 */
export function withoutServing(loaded: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const left = new Set(
    loaded.flatMap(({ plugin }) => (plugin.onlyServing === true ? [plugin.name] : [])),
  );
  // Repeat: a plugin may require one that was just added to the set.
  for (let known = -1; known !== left.size;) {
    known = left.size;
    for (const { plugin } of loaded) {
      if (plugin.requires?.some((name) => left.has(name)) === true) left.add(plugin.name);
    }
  }
  return loaded.filter(({ plugin }) => !left.has(plugin.name));
}
