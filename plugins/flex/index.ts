/**
 * Records of types that a schema file describes: REST, pages, collections, search, migrations.
 * Provides: flex
 * Uses: content, health, markdown, render, search
 * Opens: recordIncludes
 * Adds: collectionSources, routeClaims
 * Fires: onFlexChange
 * Handles: onSearchRecordsCollect
 */
import { definePlugin } from "#kernel";
import { flexErrors } from "./errors.js";

export default definePlugin({
  name: "flex",
  version: "1.0.0",
  errors: flexErrors,
  description: "Flex objects",
  requires: ["content"],
  after: ["health"],
  fires: { onFlexChange: "notify" },
  async commands() {
    const { migrateFlexCommand } = await import("./migrate-command.js");
    return [migrateFlexCommand()];
  },
  async setup(site) {
    const { setUpFlex } = await import("./set-up.js");
    setUpFlex(site);
  },
});
