/**
 * Plugins and themes from npm: commands that install, pin and remove them, and the lock of versions.
 */
import { definePlugin } from "#kernel";
import {
  addPluginCommand,
  addThemeCommand,
  removePluginCommand,
  removeThemeCommand,
  updateCommand,
  listCommand,
} from "./commands/sources.js";
import { checkCommand, syncCommand } from "./commands/lockfile.js";
import type {} from "./contract.js";
import { packagesErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "packages",
  version: "1.0.0",
  errors: packagesErrors,
  description: "Packages of plugins and themes",
  settings,
  commands: [
    addPluginCommand,
    listCommand,
    removePluginCommand,
    updateCommand,
    addThemeCommand,
    removeThemeCommand,
    syncCommand,
    checkCommand,
  ],
});
