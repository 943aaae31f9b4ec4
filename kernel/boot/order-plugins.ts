import { SiteError } from "#lib/errors";
import { nearest } from "#lib/values";
import type { Plugin } from "../contracts.js";

/**
 * The plugins, each after those it requires and those selected that it names in `after`; otherwise in
 * the given order.
 * @throws ERR_PLUGIN_DUPLICATE, ERR_PLUGIN_MISSING, ERR_PLUGIN_CYCLE.
 */
export function orderPlugins(plugins: readonly Plugin[]): Plugin[] {
  const byName = indexByName(plugins);
  const ordered: Plugin[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (plugin: Plugin, trail: readonly string[]): void => {
    if (state.get(plugin.name) === "done") return;
    if (state.get(plugin.name) === "open") throw cycleError([...trail, plugin.name]);
    state.set(plugin.name, "open");
    for (const before of predecessors(plugin, byName)) visit(before, [...trail, plugin.name]);
    state.set(plugin.name, "done");
    ordered.push(plugin);
  };
  for (const plugin of plugins) visit(plugin, []);
  return ordered;
}

function indexByName(plugins: readonly Plugin[]): Map<string, Plugin> {
  const byName = new Map<string, Plugin>();
  for (const plugin of plugins) {
    if (byName.has(plugin.name)) {
      throw new SiteError("ERR_PLUGIN_DUPLICATE", `two plugins are named "${plugin.name}"`, {
        fix: "rename one, or remove it from plugins",
      });
    }
    byName.set(plugin.name, plugin);
  }
  return byName;
}

function predecessors(plugin: Plugin, byName: Map<string, Plugin>): Plugin[] {
  const required = (plugin.requires ?? []).map((name) => {
    const required = byName.get(name);
    if (required) return required;
    const hint = nearest(name, [...byName.keys()]);
    throw new SiteError(
      "ERR_PLUGIN_MISSING",
      `plugin "${plugin.name}" requires plugin "${name}", which is not selected`,
      { fix: hint ? `did you mean "${hint}"?` : `add "${name}" to plugins` },
    );
  });
  const after = (plugin.after ?? []).flatMap((name) => byName.get(name) ?? []);
  return [...required, ...after];
}

function cycleError(trail: readonly string[]): SiteError {
  const loop = trail.slice(trail.indexOf(trail.at(-1) ?? ""));
  return new SiteError("ERR_PLUGIN_CYCLE", `plugins require each other: ${loop.join(" → ")}`, {
    fix: "break the cycle: replace one `requires` or `after` with a hook or `use(…, { optional: true })`",
  });
}
