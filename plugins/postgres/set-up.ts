import { HttpError, type SiteContext, type WriteLock } from "#kernel";
import { messageOf } from "#lib/errors";
import { defaultNodeName, siteIdentity } from "#lib/stores";
import { SessionLocks, SharedDatabase, databaseAddress } from "#lib/databases";
import { PostgresJobs } from "./engines/jobs.js";
import { PostgresRecords } from "./engines/records.js";
import { sharedSchema } from "./engines/tables.js";
import { postgresDown } from "./errors.js";

/** The lock of the node that leads, without a cluster. */
const LEADER = "leader";

/** Registers what the plugin does in a site that starts. */
export function setUpPostgres(site: SiteContext): void {
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
    try {
      await shared?.locks.isFree(LEADER).catch((error: unknown) => {
        // That it is away is reported below, with the reason.
        if (!(error instanceof HttpError)) throw error;
      });
      await database.open({
        onSlow: (reason) =>
          log.warn("postgres.slow", {
            error: reason,
            fix: "wait: the start tries again for a minute; see what keeps PostgreSQL or this machine busy",
          }),
      });
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

/** Runs jobs on all nodes; without a cluster, also names the node that leads. */
function shareJobs(site: SiteContext, url: string): { jobs: PostgresJobs; locks: SessionLocks } {
  const { engines, log } = site;
  const locks = new SessionLocks({
    url,
    toError: postgresDown,
    onLost: (names, cause) => log.debug("postgres.locks_lost", { names, error: messageOf(cause) }),
  });
  const jobs = new PostgresJobs({ url, clock: site.runtime.clock, log });
  engines.activate("jobs", jobs);
  if (site.use("cluster", { optional: true }) === undefined) {
    const leader = { isShared: true, claim: () => locks.tryLock(LEADER) };
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
