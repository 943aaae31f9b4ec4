import { type ConfigFiles, type ConfigProblem, pluginProblemAt } from "../config/load-config.js";
import type { LoadedPlugin } from "./load-plugins.js";

/** A first-party plugin that is left out because one that it requires is switched off. */
export interface Dependent {
  readonly name: string;
  readonly requires: string;
}

/** The plugins of a site without those that are switched off. */
export interface EnabledPlugins {
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
    const found = rest.flatMap((entry) => {
      const requires = entry.plugin.requires?.find((name) => off.has(name));
      return requires === undefined ? [] : [{ entry, requires }];
    });
    if (found.length === 0) return { plugins: rest, dependents, problems };
    for (const { entry, requires } of found) {
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
    rest = rest.filter((entry) => !found.some((one) => one.entry === entry));
  }
}
