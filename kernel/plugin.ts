import type { Plugin } from "./contracts.js";
import { SiteError } from "./errors.js";

/** Version of the plugin API; `Plugin.engine` is a range of it. */
export const PLUGIN_API_VERSION = "1.0.0";

const NAME = /^[a-z][a-z0-9-]*$/;

/** Returns the plugin unchanged; types its declaration. */
export function definePlugin<C = unknown>(plugin: Plugin<C>): Plugin<C> {
  return plugin;
}

/**
 * Narrows a module's export to a plugin.
 * @throws ERR_PLUGIN_INVALID naming the missing part.
 */
export function assertPlugin(value: unknown, origin: string): asserts value is Plugin {
  const problem = pluginProblem(value);
  if (problem === null) return;
  throw new SiteError("ERR_PLUGIN_INVALID", `${origin}: ${problem}`, {
    fix: "export default definePlugin({ name, version, … })",
  });
}

function pluginProblem(value: unknown): string | null {
  if (typeof value !== "object" || value === null) {
    return `the default export is ${value === null ? "null" : typeof value}, not a plugin`;
  }
  const { name, version, setup } = value as Record<string, unknown>;
  if (typeof name !== "string" || !NAME.test(name)) {
    return `"name" is ${shown(name)}, expected lower-case letters, digits and dashes`;
  }
  return fieldProblem(name, version, setup);
}

function fieldProblem(name: string, version: unknown, setup: unknown): string | null {
  if (typeof version !== "string" || version === "") {
    return `plugin "${name}": "version" is ${shown(version)}`;
  }
  if (setup === undefined || typeof setup === "function") return null;
  return `plugin "${name}": "setup" is ${typeof setup}, expected a function`;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
