import type { LoadedPlugin } from "./load-plugins.js";

/**
 * What takes part in a static export: not the plugins that only a server needs, and none that
 * requires one of them.
 */
export function withoutServing(loaded: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const left = new Set(
    loaded.flatMap(({ plugin }) => (plugin.onlyServing === true ? [plugin.name] : [])),
  );
  // What is added to the set is looked at again: a plugin may require one that has just fallen away.
  for (let known = -1; known !== left.size;) {
    known = left.size;
    for (const { plugin } of loaded) {
      if (plugin.requires?.some((name) => left.has(name)) === true) left.add(plugin.name);
    }
  }
  return loaded.filter(({ plugin }) => !left.has(plugin.name));
}
