/**
 * Search over pages and contributed records, through an exchangeable engine.
 * Provides: search.
 * Uses: records, content, markdown, render, health.
 * Opens: search.
 * Adds: pluginProblems, rootFolders.
 * Fires: onSearchRecordsCollect, onSearchEngineCreate.
 */
import { definePlugin, expectFields } from "#kernel";
import { commands } from "./commands.js";
import { inspectEngine, searchCheck } from "./diagnostics.js";
import { setUpSearch } from "./set-up.js";
import { settings } from "./settings.js";
import { searchErrors } from "./errors.js";

export default definePlugin({
  name: "search",
  version: "1.0.0",
  diagnostics: [searchCheck],
  errors: searchErrors,
  requires: ["content", "markdown", "records"],
  after: ["health", "render", "flex"],
  settings,
  fires: {
    onSearchRecordsCollect: { kind: "create", check: expectFields({ records: ["list"] }) },
    onSearchEngineCreate: "create",
  },
  commands,
  inspect: inspectEngine,
  setup: setUpSearch,
});
