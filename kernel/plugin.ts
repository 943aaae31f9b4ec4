import { SiteError } from "#lib/errors";
import type { ValueCheck } from "#lib/values";
import type { Command, Diagnostic, Loadable, Plugin } from "./contracts.js";
import { commandsProblem, pluginFix, pluginProblem } from "./declarations.js";

/** Version of the plugin API; `Plugin.engine` is a range of it. */
export const PLUGIN_API_VERSION = "1.0.0";

/** Returns the plugin unchanged; types its declaration. */
export function definePlugin<C = unknown>(plugin: Plugin<C>): Plugin<C> {
  return plugin;
}

/**
 * Narrows a module's export to a plugin.
 * @throws ERR_PLUGIN_INVALID naming the key.
 */
export function assertPlugin(value: unknown, origin: string): asserts value is Plugin {
  const problem = pluginProblem(value);
  if (problem === null) return;
  const { name } = Object(value);
  const who = typeof name === "string" && name !== "" ? `${origin}: plugin "${name}"` : origin;
  throw new SiteError("ERR_PLUGIN_INVALID", `${who}: ${problem}`, {
    fix: pluginFix(problem),
  });
}

/**
 * The commands of a plugin, which may have to be loaded.
 * @throws ERR_PLUGIN_LOAD when its function fails, ERR_PLUGIN_INVALID when it resolves with something else.
 */
export async function commandsOf(plugin: Plugin): Promise<readonly Command[]> {
  return listOf(plugin.name, "commands", plugin.commands, commandsProblem);
}

/** The checks of a plugin for `site doctor`, which may have to be loaded. @throws as `commandsOf`. */
export async function diagnosticsOf(plugin: Plugin): Promise<readonly Diagnostic[]> {
  return listOf(plugin.name, "diagnostics", plugin.diagnostics, () => null);
}

async function listOf<T>(
  plugin: string,
  key: "commands" | "diagnostics",
  list: Loadable<T> = [],
  problemOf: ValueCheck,
): Promise<readonly T[]> {
  if (typeof list !== "function") return list;
  const loaded = await load(plugin, key, list);
  const problem = Array.isArray(loaded) ? problemOf(loaded) : "expected a list";
  if (problem === null) return loaded;
  throw new SiteError("ERR_PLUGIN_INVALID", `plugin "${plugin}": "${key}": ${problem}`, {
    fix: pluginFix(`"${key}"`),
  });
}

async function load<T>(
  plugin: string,
  key: string,
  list: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await list();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SiteError(
      "ERR_PLUGIN_LOAD",
      `plugin "${plugin}": its ${key} could not be loaded: ${reason}`,
      { cause, fix: "fix the module that has them" },
    );
  }
}
