import type { SharedDatabase } from "#lib/databases";
import { PostgresJobs } from "../../../plugins/postgres/engines/jobs.js";
import { jobAttemptsSuite } from "../../support/suites/job-attempts-suite.js";
import { jobBatchSuite } from "../../support/suites/job-batch-suite.js";
import { jobOwnerSuite } from "../../support/suites/job-owner-suite.js";
import { jobOrderSuite } from "../../support/suites/job-order-suite.js";
import { JobQueues } from "../../support/suites/job-queues.js";
import { usePostgres } from "../../support/services.js";
import { sharedDatabase } from "../../support/servers/shared-database.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";

describe("the jobs in PostgreSQL", () => {
  let url = "";
  let database: SharedDatabase;
  let proxy: TcpProxy;
  before(async function () {
    url = (await usePostgres(this)).url;
    proxy = await startTcpProxy(url);
    database = sharedDatabase(url);
  });
  // Its queues are closed before the tables are emptied.
  const queues = new JobQueues(() => new PostgresJobs(database));
  afterEach(async () => {
    await database.run((db) => db.query("truncate site_jobs, site_leases"));
  });
  after(async () => {
    await database.close();
    await proxy.close();
  });

  jobOrderSuite(queues);
  jobAttemptsSuite(queues);
  jobBatchSuite(queues);
  jobOwnerSuite(queues, {
    proxy: () => proxy,
    away: () => {
      const lost = sharedDatabase(proxy.url);
      return { store: () => new PostgresJobs(lost), close: () => lost.close() };
    },
  });
});
