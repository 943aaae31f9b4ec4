/**
 * Plugins and themes from npm: commands that install, pin and remove them, and the lock of versions.
 */
import { definePlugin } from "#kernel";
import type {} from "./contract.js";
import { packagesErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "packages",
  version: "1.0.0",
  errors: packagesErrors,
  description: "Packages of plugins and themes",
  settings,
  async commands() {
    const {
      addPluginCommand,
      addThemeCommand,
      removePluginCommand,
      removeThemeCommand,
      updateCommand,
      listCommand,
    } = await import("./commands/sources.js");
    const { checkCommand, syncCommand } = await import("./commands/lockfile.js");
    return [
      addPluginCommand,
      listCommand,
      removePluginCommand,
      updateCommand,
      addThemeCommand,
      removeThemeCommand,
      syncCommand,
      checkCommand,
    ];
  },
});
