import { SiteError } from "#lib/errors";
import type { Command, Diagnostic, Plugin } from "./contracts.js";
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
export async function commandsOf({ name, commands = [] }: Plugin): Promise<readonly Command[]> {
  if (typeof commands !== "function") return commands;
  const loaded = await loadCommands(name, commands);
  const problem = Array.isArray(loaded) ? commandsProblem(loaded) : "expected a list";
  if (problem === null) return loaded;
  throw new SiteError("ERR_PLUGIN_INVALID", `plugin "${name}": "commands": ${problem}`, {
    fix: pluginFix('"commands"'),
  });
}

async function loadCommands(
  plugin: string,
  load: () => Promise<readonly Command[]>,
): Promise<readonly Command[]> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SiteError(
      "ERR_PLUGIN_LOAD",
      `plugin "${plugin}": its commands could not be loaded: ${reason}`,
      { cause, fix: "fix the module that has them" },
    );
  }
}

/** The checks of a plugin for `site doctor`, which may have to be loaded. */
export async function diagnosticsOf({ diagnostics = [] }: Plugin): Promise<readonly Diagnostic[]> {
  return typeof diagnostics === "function" ? diagnostics() : diagnostics;
}
