/**
 * Imports sites of other systems as pages, media, records, accounts and redirects.
 * Uses: content, check, outbound, media, render, users, flex.
 */
import { definePlugin } from "#kernel";
import { importCommand } from "./commands/import.js";
import { importErrors } from "./errors.js";

export default definePlugin({
  name: "import",
  version: "1.0.0",
  errors: importErrors,
  description: "Imports from other systems",
  requires: ["content", "check", "outbound"],
  after: ["media", "render", "users", "flex"],
  commands: [importCommand],
  setup: () => undefined,
});
