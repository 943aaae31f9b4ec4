import type { ConfigIssue, PluginEntry } from "../contracts.js";
import type { PluginSelection } from "../config/load-config.js";

/** What a site leaves out at boot. */
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
    off: off.map(labelOf),
  };
}

/** The configured name of a plugin. */
export function labelOf({ src, name }: PluginEntry): string {
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
