import type { ConfigIssue, PluginEntry } from "./contracts.js";
import type { PluginSelection } from "./config/load-config.js";

/** What a site boots without. */
export interface LeaveOut {
  /** Every plugin that is not of the house; the site's own themes stay unloaded too. */
  safe?: boolean;
  /** Plugins by `src`, or by name. */
  without?: readonly string[];
}
/** A selection, and the plugins that were taken out of it. */
export interface Limited {
  selected: PluginSelection;
  /** By `src`, or by name, as the configuration names them. */
  off: readonly string[];
}

/** Takes plugins out of a selection before anything of them is loaded. */
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
    off: off.map(labelOf),
  };
}

/** How the configuration names a plugin. */
export function labelOf({ src, name }: PluginEntry): string {
  return src ?? name ?? "";
}

/**
 * The problems that stay problems when plugins are left out: a key at the top that nobody knows may
 * be one of theirs, and its value is not looked at.
 */
export function withoutTheirKeys<T extends ConfigIssue>(
  problems: readonly T[],
  off: readonly string[],
): T[] {
  if (off.length === 0) return [...problems];
  return problems.filter(({ key, expected }) => expected !== UNKNOWN_KEY || /[.[]/.test(key));
}

const UNKNOWN_KEY = "a known key";
