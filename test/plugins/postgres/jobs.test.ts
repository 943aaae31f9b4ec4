import assert from "node:assert/strict";
import type { SharedDatabase } from "#kernel/internal";
import { PostgresJobs } from "../../../plugins/postgres/engines/jobs.js";
import { jobAttemptsSuite } from "../../support/job-attempts-suite.js";
import { jobBatchSuite } from "../../support/job-batch-suite.js";
import { jobOrderSuite } from "../../support/job-order-suite.js";
import { JobQueues } from "../../support/job-queues.js";
import { usePostgres } from "../../support/services.js";
import { sharedDatabase } from "../../support/shared-database.js";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.js";
import { until } from "../../support/until.js";

describe("site.jobs in PostgreSQL", () => {
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

  it("runs on the owner what another node adds, and reads text of any kind back", async () => {
    const seen: string[] = [];
    const owner = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await owner.jobs.open();
    const other = queues.start({ run: () => assert.fail("ran on another node than the owner") });
    const text = "nul \0, half \ud800, café";
    const id = await other.jobs.add("work", text);
    assert.equal(other.jobs.isOwner, false);
    assert.equal(await other.jobs.outcome(id), null);
    assert.deepEqual(seen, [text]);
  });

  it("hands waiting jobs over at once when the owner closes", async () => {
    const first = queues.start({ run: async () => undefined });
    const id = await first.jobs.add("work", "later", { runAt: queues.clock.now() + 60_000 });
    const seen: string[] = [];
    const second = queues.start({ run: async (job) => void seen.push(job.id) });
    await second.jobs.open();
    await first.close();
    await until(() => second.jobs.isOwner);
    await second.jobs.flush("work");
    assert.deepEqual(seen, [id]);
  });

  it("stops jobs that wait when it loses the database, and runs each once when it is back", async () => {
    const away = sharedDatabase(proxy.url);
    const lost = new JobQueues(() => new PostgresJobs(away));
    const seen: string[] = [];
    const first = lost.start({ run: async ({ payload }) => void seen.push(`first ${payload}`) });
    const runAt = queues.clock.now() + 60_000;
    await first.jobs.add("work", "a", { runAt });
    await proxy.cut();
    const second = queues.start({
      run: async ({ payload }) => void seen.push(`second ${payload}`),
    });
    await second.jobs.open();
    await until(() => second.jobs.isOwner);
    assert.equal(first.jobs.isOwner, false);
    await second.jobs.flush("work");
    await proxy.restore();
    await first.jobs.flush("work");
    assert.deepEqual(seen, ["second a"]);
    await first.close();
    await away.close();
  }).timeout(20_000);
});
