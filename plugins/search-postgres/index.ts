/**
 * Search in PostgreSQL: one index for many nodes, with the shared score and typo-tolerant
 * suggestions.
 * Uses: search.
 * Handles: onSearchEngineCreate.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import type {} from "../search/contract.js";
import { searchPostgresErrors } from "./errors.js";
import { config, type SearchPostgresConfig } from "./settings.js";

const packages = new OptionalPackages({
  plugin: "search-postgres",
  packages: ["pg"],
  neededBy: ({ settings: { system } }) =>
    system.search.engine === "postgres" ? "search.engine: postgres" : null,
});

export default definePlugin<SearchPostgresConfig>({
  name: "search-postgres",
  version: "1.0.0",
  errors: searchPostgresErrors,
  requires: ["search"],
  diagnostics: [packages.diagnostic],
  config,
  async setup(site) {
    await packages.assertInstalled(site);
    const { setUpSearchPostgres } = await import("./set-up.js");
    setUpSearchPostgres(site);
  },
});
