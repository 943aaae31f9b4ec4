/**
 * Keeps in PostgreSQL what several servers of one site share: background jobs, API tokens, logs.
 * Uses: jobs, records, cluster, health.
 * Adds: jobs, records, writeLock.
 */
import { definePlugin, OptionalPackages, type SiteContext, type WriteLock } from "#kernel";
import { defaultNodeName, siteIdentity } from "#lib/stores";
import { SharedDatabase, databaseAddress } from "#lib/databases";
import { postgresCheck } from "#lib/diagnostics";
import type {} from "../cluster/contract.js";
import type {} from "../jobs/contract.js";
import type {} from "./contract.js";
import { PostgresJobs } from "./engines/jobs.js";
import { PostgresRecords } from "./engines/records.js";
import { sharedSchema } from "./engines/tables.js";
import { postgresDown, postgresErrors } from "./errors.js";
import { settings } from "./settings.js";

const packages = new OptionalPackages({
  plugin: "postgres",
  packages: ["pg", "kysely"],
  neededBy: ({ settings: { system } }) => {
    if (system.jobs.engine === "postgres") return "jobs.engine: postgres";
    return system.records.store === "postgres" ? "records.store: postgres" : null;
  },
});

export default definePlugin({
  name: "postgres",
  version: "1.0.0",
  diagnostics: [
    packages.diagnostic,
    postgresCheck(
      ({ system: { jobs, records } }) => jobs.engine === "postgres" || records.store === "postgres",
    ),
  ],
  onlyServing: true,
  description: "Shared state in PostgreSQL",
  errors: postgresErrors,
  requires: ["jobs", "records"],
  after: ["cluster", "health"],
  settings,
  async setup(site) {
    await packages.assertInstalled(site);
    const { jobs, records } = site.settings.system;
    if (jobs.engine === "postgres" || records.store === "postgres") setUp(site);
  },
});

function setUp(site: SiteContext): void {
  const { engines, lifecycle, log, settings: all } = site;
  const database = new SharedDatabase({
    ...databaseAddress(site.runtime.env.get("SITE_DB_URL"), siteIdentity(site.settings.site)),
    onLost: ({ message }) => log.debug("postgres.connection_lost", { error: message }),
    schema: sharedSchema,
    toError: postgresDown,
    onChange: (reason) => {
      if (reason === null) log.info("postgres.up");
      else log.error("postgres.down", { error: reason });
    },
  });
  const { jobs, records } = all.system;
  if (jobs.engine === "postgres") engines.activate("jobs", new PostgresJobs(database));
  if (records.store === "postgres") {
    engines.activate("records", new PostgresRecords(database, findNodeName(site)));
  }
  lifecycle.onReady(async () => {
    await database.open({
      onSlow: (reason) =>
        log.warn("postgres.slow", {
          error: reason,
          fix: "wait: the start tries again for a minute; see what keeps PostgreSQL or this machine busy",
        }),
    });
    guardWrites(site, database);
  });
  lifecycle.onClose(() => database.close());
  site.use("health", { optional: true })?.addCheck("postgres", () => {
    return database.isDown
      ? "PostgreSQL does not respond: pages are served, nothing can be saved"
      : null;
  });
}

/** The name of the node in its cluster, if it has one. */
function findNodeName(site: SiteContext): string {
  return site.use("cluster", { optional: true })?.node ?? defaultNodeName(site.paths.root);
}

/**
 * Rejects writes of pages and records while the database is down, before anything is written: what
 * follows from a write, such as webhooks and audit entries, could not be stored.
 */
function guardWrites({ engines }: SiteContext, database: SharedDatabase): void {
  const slot = engines.slot("writeLock");
  const inner: WriteLock = slot.active;
  const guarded: WriteLock = {
    run: async (work) => {
      await database.run((db) => db.query("select 1"));
      return inner.run(work);
    },
  };
  engines.activate("writeLock", guarded, { wraps: slot.activeName });
}
