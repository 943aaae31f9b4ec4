/**
 * Search in PostgreSQL: one index for many nodes, with the shared score and typo-tolerant
 * suggestions.
 * Uses: search.
 * Handles: onSearchEngineCreate.
 */
import { z } from "zod";
import { definePlugin, OptionalPackages, SiteError } from "#kernel";
import { isPostgresUrl } from "#lib/databases";
import type {} from "../search/contract.js";
import { createPostgresEngine } from "./engines/postgres.js";
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

export default definePlugin<z.output<typeof config>>({
  name: "search-postgres",
  version: "1.0.0",
  errors: searchPostgresErrors,
  requires: ["search"],
  diagnostics: [packages.diagnostic],
  config,
  async setup(site) {
    await packages.assertInstalled(site);
    const url = site.runtime.env.get("SITE_DB_URL");
    const isWanted = site.settings.system.search.engine === "postgres";
    if (isWanted && !isPostgresUrl(url)) {
      throw new SiteError(
        "ERR_SEARCH_POSTGRES_URL",
        `search.engine is "postgres" and SITE_DB_URL is ${url === undefined ? "not set" : "not a postgres:// URL"}`,
        {
          fix: "set SITE_DB_URL to postgres://user:password@host/database",
        },
      );
    }
    if (!isPostgresUrl(url)) return;
    site.hooks.on("onSearchEngineCreate", ({ data }) => {
      const { schema, pool } = site.config;
      const timeoutMs = data.settings.timeout_ms;
      data.register(
        "postgres",
        createPostgresEngine({ url, schema, pool, timeoutMs, tools: data.tools }),
      );
    });
  },
});
