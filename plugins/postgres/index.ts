/**
 * Keeps in PostgreSQL what several servers of one site share: background jobs, API tokens, logs.
 * Uses: jobs, records, cluster, health.
 * Adds: jobs, leader, records, writeLock.
 */
import { definePlugin, OptionalPackages, type SiteContext, type WriteLock } from "#kernel";
import { messageOf, SiteError } from "#lib/errors";
import { defaultNodeName, siteIdentity } from "#lib/stores";
import { SessionLocks, SharedDatabase, databaseAddress } from "#lib/databases";
import { postgresCheck } from "#lib/diagnostics";
import type {} from "../cluster/contract.js";
import type {} from "../jobs/contract.js";
import type {} from "./contract.js";
import { PostgresJobs } from "./engines/jobs.js";
import { PostgresRecords } from "./engines/records.js";
import { sharedSchema } from "./engines/tables.js";
import { postgresDown, postgresErrors } from "./errors.js";
import { settings } from "./settings.js";

/** The version of Node.js that pg-boss needs. */
const NODE = [22, 12] as const;

const packages = new OptionalPackages({
  plugin: "postgres",
  packages: ["pg", "kysely"],
  neededBy: ({ settings: { system } }) => {
    if (system.jobs.engine === "postgres") return "jobs.engine: postgres";
    return system.records.store === "postgres" ? "records.store: postgres" : null;
  },
});
const jobPackages = new OptionalPackages({
  plugin: "postgres",
  packages: ["pg-boss"],
  neededBy: ({ settings: { system } }) =>
    system.jobs.engine === "postgres" ? "jobs.engine: postgres" : null,
});

export default definePlugin({
  name: "postgres",
  version: "1.0.0",
  diagnostics: [
    packages.diagnostic,
    jobPackages.diagnostic,
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
    if (site.settings.system.jobs.engine === "postgres") assertNodeVersion(process.versions.node);
    await packages.assertInstalled(site);
    await jobPackages.assertInstalled(site);
    const { jobs, records } = site.settings.system;
    if (jobs.engine === "postgres" || records.store === "postgres") setUp(site);
  },
});

function setUp(site: SiteContext): void {
  const { engines, lifecycle, log, settings: all } = site;
  const address = databaseAddress(
    site.runtime.env.get("SITE_DB_URL"),
    siteIdentity(site.settings.site),
  );
  const database = new SharedDatabase({
    ...address,
    onLost: ({ message }) => log.debug("postgres.connection_lost", { error: message }),
    schema: sharedSchema,
    toError: postgresDown,
    onChange: (reason) => {
      if (reason === null) log.info("postgres.up");
      else log.error("postgres.down", { error: reason });
    },
  });
  const { jobs, records } = all.system;
  const shared = jobs.engine === "postgres" ? shareJobs(site, address.url) : null;
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
    try {
      await shared?.jobs.start();
    } catch (error) {
      await shared?.locks.close();
      await database.close();
      throw error;
    }
    guardWrites(site, database);
  });
  lifecycle.onClose(async () => {
    await shared?.locks.close();
    await database.close();
  });
  site.use("health", { optional: true })?.addCheck("postgres", () => {
    return database.isDown()
      ? "PostgreSQL does not respond: pages are served, nothing can be saved"
      : null;
  });
}

/** @throws ERR_POSTGRES_NODE. */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return;
  const needed = NODE.join(".");
  throw new SiteError(
    "ERR_POSTGRES_NODE",
    `jobs.engine: postgres needs Node.js ${needed} or newer, and this is ${version}`,
    { fix: `run the site with Node.js ${needed} or newer, or set jobs.engine: files` },
  );
}

/** Runs jobs on all nodes; without a cluster, also names the node that leads. */
function shareJobs(site: SiteContext, url: string): { jobs: PostgresJobs; locks: SessionLocks } {
  const { engines, log } = site;
  const locks = new SessionLocks({
    url,
    toError: postgresDown,
    onLost: (names, cause) => log.debug("postgres.locks_lost", { names, error: messageOf(cause) }),
  });
  const { clock } = site.runtime;
  const jobs = new PostgresJobs({ url, node: findNodeName(site), locks, clock, log });
  engines.activate("jobs", jobs);
  if (site.use("cluster", { optional: true }) === undefined) {
    const leader = { isShared: true, claim: () => locks.tryLock("leader") };
    engines.activate("leader", leader, { wraps: engines.slot("leader").activeName });
  }
  return { jobs, locks };
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
      await database.query("select 1");
      return inner.run(work);
    },
  };
  engines.activate("writeLock", guarded, { wraps: slot.activeName });
}
