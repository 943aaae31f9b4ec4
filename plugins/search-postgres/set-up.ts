import { SiteError, type SiteContext } from "#kernel";
import { isPostgresUrl } from "#lib/databases";
import { createPostgresEngine } from "./engines/postgres.js";
import type { SearchPostgresConfig } from "./settings.js";

/** Registers what the plugin does in a site that starts. */
export function setUpSearchPostgres(site: SiteContext<SearchPostgresConfig>): void {
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
}
