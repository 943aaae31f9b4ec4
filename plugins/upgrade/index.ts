/**
 * Upgrades the installed package: plans from the contracts of both versions, applies, checks, undoes.
 */
import { definePlugin } from "#kernel";
import { upgradeCommand } from "./commands/upgrade.js";
import { upgradeErrors } from "./errors.js";

export default definePlugin({
  name: "upgrade",
  version: "1.0.0",
  description: "Upgrades",
  errors: upgradeErrors,
  commands: [upgradeCommand],
});
