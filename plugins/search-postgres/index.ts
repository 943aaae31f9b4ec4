/**
 * Search in PostgreSQL: one index for many nodes, with the shared score and typo-tolerant
 * suggestions.
 * Uses: search.
 * Handles: onSearchEngineCreate.
 */
import { z } from "zod";
import { definePlugin, OptionalPackages } from "#kernel";
import type {} from "../search/contract.js";
import { searchPostgresErrors } from "./errors.js";

const config = z
  .strictObject({
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,40}$/, { error: "lower-case letters, digits and underscores" })
      .default("site_search")
      .describe("PostgreSQL schema of the index"),
    pool: z.int().min(1).max(50).default(4).describe("Maximum number of connections per node"),
  })
  .prefault({});

const packages = new OptionalPackages({
  plugin: "search-postgres",
  packages: ["pg"],
  neededBy: ({ settings: { system } }) =>
    system.search.engine === "postgres" ? "search.engine: postgres" : null,
});

/** Its `config:` block. */
export type SearchPostgresConfig = z.output<typeof config>;

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
