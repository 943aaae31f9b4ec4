import { SiteError } from "#lib/errors";
import type { Plugin } from "./contracts.js";
import { pluginFix, pluginProblem } from "./declarations.js";

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
