/**
 * Imports sites of other systems as pages, media, records, accounts and redirects, and exports sites for them.
 * Uses: content, check, outbound, media, markdown, render, users, flex.
 */
import { definePlugin } from "#kernel";
import { importErrors } from "./errors.js";

export default definePlugin({
  name: "import",
  version: "1.0.0",
  errors: importErrors,
  description: "Imports from other systems, exports for them",
  requires: ["content", "check", "outbound"],
  after: ["media", "markdown", "render", "users", "flex"],
  async commands() {
    const { importCommand, exportCommand } = await import("./commands.js");
    return [importCommand, exportCommand];
  },
  setup: () => undefined,
});
