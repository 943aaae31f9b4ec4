import type { ConfigIssue, PluginEntry } from "../contracts.js";
import { type PluginSelection, pluginProblemAt } from "../config/plugins/plugin-entries.js";
import type { ConfigFiles } from "../config/parse-files.js";
import type { ConfigProblem } from "../config/problem.js";
import type { LoadedPlugin } from "./load-plugins.js";

/** The plugins that a site leaves out at boot. */
export interface LeaveOut {
  /** Every third-party plugin; the site's own themes are not loaded either. */
  safe?: boolean;
  /** Plugins by `src`, or by name. */
  without?: readonly string[];
}
/** A selection, and the plugins removed from it. */
export interface Limited {
  selected: PluginSelection;
  /** By `src`, or by name, as the configuration names them. */
  off: readonly string[];
}

/** Removes plugins from a selection before any of their code is loaded. */
export function leaveOut(
  selected: PluginSelection,
  { safe = false, without = [] }: LeaveOut,
): Limited {
  const isOff = (entry: PluginEntry): boolean =>
    (safe && entry.src !== undefined) ||
    (entry.src !== undefined && without.includes(entry.src)) ||
    (entry.name !== undefined && without.includes(entry.name));
  const off = selected.entries.filter((entry) => entry.enabled && isOff(entry));
  return {
    selected: {
      ...selected,
      entries: selected.entries.filter((entry) => !off.includes(entry)),
      disabled: [...selected.disabled, ...without],
    },
    off: off.map(formatEntry),
  };
}

/** The configured name of a plugin. */
export function formatEntry({ src, name }: PluginEntry): string {
  return src ?? name ?? "";
}

/**
 * The remaining problems when plugins are left out: an unknown top-level key may be one of theirs, and
 * its value is not checked.
 */
export function withoutTheirKeys<T extends ConfigIssue>(
  problems: readonly T[],
  off: readonly string[],
): T[] {
  if (off.length === 0) return [...problems];
  return problems.filter(({ key, expected }) => expected !== UNKNOWN_KEY || /[.[]/.test(key));
}

const UNKNOWN_KEY = "a known key";

/** A first-party plugin that is left out because one that it requires is switched off. */
export interface Dependent {
  readonly name: string;
  readonly requires: string;
}

/** The plugins of a site without those that are switched off. */
interface EnabledPlugins {
  readonly plugins: readonly LoadedPlugin[];
  readonly dependents: readonly Dependent[];
  readonly problems: readonly ConfigProblem[];
}

/**
 * Leaves out the plugins that are on only by default and require one that is switched off, and those that require
 * them. One that the configuration names is a problem at its line.
 */
export function withoutDisabled(
  files: ConfigFiles,
  loaded: readonly LoadedPlugin[],
  disabled: readonly string[],
): EnabledPlugins {
  const off = new Set(disabled);
  const dependents: Dependent[] = [];
  const problems: ConfigProblem[] = [];
  let rest = loaded;
  for (;;) {
    const blocked = rest.flatMap((entry) => {
      const requires = entry.plugin.requires?.find((name) => off.has(name));
      return requires === undefined ? [] : [{ entry, requires }];
    });
    if (blocked.length === 0) return { plugins: rest, dependents, problems };
    for (const { entry, requires } of blocked) {
      const { name } = entry.plugin;
      off.add(name);
      if (entry.isDefault) dependents.push({ name, requires });
      else {
        problems.push(
          pluginProblemAt(files, entry.path, {
            received: entry.src ?? name,
            expected: `a plugin that works without "${requires}", which \`enabled: false\` switches off`,
            fix: `set \`enabled: false\` for "${name}" too, or switch "${requires}" on`,
          }),
        );
      }
    }
    rest = rest.filter((entry) => !blocked.some((one) => one.entry === entry));
  }
}

/**
 * The plugins of a static export: without those that only a server needs, and those that require one
 * of them.
 */
export function withoutServing(loaded: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const left = new Set(
    loaded.flatMap(({ plugin }) => (plugin.onlyServing === true ? [plugin.name] : [])),
  );
  // Repeat: a plugin may require one that was just added to the set.
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const { plugin } of loaded) {
      if (plugin.requires?.some((name) => left.has(name)) === true) left.add(plugin.name);
    }
  }
  return loaded.filter(({ plugin }) => !left.has(plugin.name));
}
