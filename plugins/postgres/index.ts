/**
 * Keeps in PostgreSQL what several servers of one site share: background jobs.
 * Uses: health.
 * Fills: jobs.
 */
import { definePlugin, SiteError, type SiteContext } from "#kernel";
import { isLoopbackUrl, isPostgresUrl } from "#kernel/internal";
import type {} from "./contract.js";
import { SharedDatabase } from "./engines/database.js";
import { PostgresJobs } from "./engines/jobs.js";
import { postgresErrors } from "./errors.js";
import { settings } from "./settings.js";
import { guardWrites } from "./guarded-writes.js";

export default definePlugin({
  name: "postgres",
  version: "1.0.0",
  onlyServing: true,
  description: "Shared state in PostgreSQL",
  errors: postgresErrors,
  after: ["health"],
  settings,
  setup(site) {
    if (site.settings.system.jobs.engine === "postgres") setUp(site);
  },
});

function setUp(site: SiteContext): void {
  const { engines, lifecycle, log } = site;
  const database = new SharedDatabase({ url: databaseUrl(site), site: identityOf(site), log });
  engines.fill("jobs", new PostgresJobs(database));
  lifecycle.onReady(async () => {
    await database.open();
    guardWrites(site, database);
  });
  lifecycle.onClose(() => database.close());
  site.use("health", { optional: true })?.addCheck("postgres", () => {
    return database.isDown
      ? "PostgreSQL does not respond: pages are served, nothing can be saved"
      : null;
  });
}

function databaseUrl(site: SiteContext): string {
  const url = site.runtime.env.get("SITE_DB_URL");
  if (isPostgresUrl(url)) return url;
  const what = url === undefined ? "not set" : "not a postgres:// URL";
  throw new SiteError(
    "ERR_POSTGRES_URL",
    `state is to be stored in PostgreSQL and SITE_DB_URL is ${what}`,
    {
      fix: "set SITE_DB_URL to postgres://user:password@host/database",
    },
  );
}

/** The same on all nodes of a site. A site without a public address is known by its title. */
function identityOf({ settings: { site } }: SiteContext): string {
  return isLoopbackUrl(site.url) ? site.title : site.url;
}
