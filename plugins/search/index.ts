/**
 * Search over pages and contributed records, through an exchangeable engine.
 * Provides: search.
 * Uses: records, content, markdown, render, health.
 * Opens: search.
 * Adds: pluginProblems, rootFolders.
 * Fires: onSearchRecordsCollect, onSearchEngineCreate.
 */
import {
  definePlugin,
  expectFields,
  type Settings,
  type SettingsProblem,
  type Diagnostic,
  type InspectedSite,
} from "#kernel";
import { nearest } from "#lib/values";
import { BUILT_IN, settings } from "./settings.js";
import { searchErrors } from "./errors.js";

/** The index is built, and finds documents. */
const searchCheck: Diagnostic = {
  name: "search",
  needsSite: true,
  run: async ({ site }) => {
    const search = (await site()).use("search");
    await search.refreshRecords();
    const { engine, status, documents, error } = search.state();
    if (status !== "failing" && error === null) {
      return [{ level: "ok", seen: `${documents} documents in the index of ${engine}` }];
    }
    const fix = "read the log; for a store, check that it responds";
    return [{ level: "error", seen: `search in ${engine} fails: ${error ?? status}`, fix }];
  },
};

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
  async commands() {
    const { commands } = await import("./commands.js");
    return commands;
  },
  inspect: inspectEngine,
  async setup(site) {
    const { setUpSearch } = await import("./set-up.js");
    setUpSearch(site);
  },
});

/** The first-party plugin of this name provides the engine with the following name. */
const PREFIX = "search-";

/**
 * A configured engine that no first-party plugin provides; the site's own plugins may provide any.
 */
function inspectEngine(
  { system }: Settings,
  { plugins, hasOwnPlugins }: InspectedSite,
): SettingsProblem[] {
  const { engine } = system.search;
  const brought = plugins
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length));
  const names = [BUILT_IN, ...brought];
  if (hasOwnPlugins || names.includes(engine)) return [];
  const near = nearest(engine, names);
  return [
    {
      file: "system",
      key: "search.engine",
      received: engine,
      expected: `one of the engines ${names.join(", ")}`,
      fix: near === null ? "select the plugin that brings it" : `did you mean "${near}"?`,
    },
  ];
}
