import assert from "node:assert/strict";
import { RedisCalls } from "#kernel/internal";
import { RedisJobs } from "../../../plugins/redis/engines/jobs.js";
import { redisDown } from "../../../plugins/redis/errors.js";
import { jobAttemptsSuite } from "../../support/job-attempts-suite.js";
import { jobBatchSuite } from "../../support/job-batch-suite.js";
import { jobOrderSuite } from "../../support/job-order-suite.js";
import { JobQueues } from "../../support/job-queues.js";
import { useRedis } from "../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.js";
import { until } from "../../support/until.js";

const callsTo = (url: string): RedisCalls =>
  new RedisCalls({ url, toError: redisDown, onError: () => undefined });

describe("site.jobs in Redis", () => {
  let calls: RedisCalls;
  let proxy: TcpProxy;
  before(async function () {
    const { url } = await useRedis(this);
    proxy = await startTcpProxy(url);
    calls = callsTo(url);
  });
  // Its queues are closed before the database is emptied.
  const queues = new JobQueues(() => new RedisJobs(calls));
  afterEach(async () => {
    await calls.run((client) => client.flushDb());
  });
  after(async () => {
    calls.close();
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

  it("lists more jobs than one reply has, oldest first, and skips what is not a job", async () => {
    const { jobs } = queues.start({ run: async () => undefined });
    const runAt = queues.clock.now() + 60_000;
    const many = Array.from({ length: 1_203 }, (_, at) => ({ payload: String(at), runAt }));
    const ids = await jobs.addAll("work", many);
    await calls.run((client) => client.hSet("site:jobs:records", ids[7] ?? "", "{torn"));
    const listed = await jobs.list({ queue: "work" });
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids.toSpliced(7, 1),
    );
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

  it("stops jobs that wait when it loses Redis, and runs each once when it is back", async () => {
    const away = callsTo(proxy.url);
    const lost = new JobQueues(() => new RedisJobs(away));
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
    away.close();
  }).timeout(20_000);

  it("does not record an attempt of a node whose lease has expired", async () => {
    const first = new RedisJobs(calls);
    const second = new RedisJobs(calls);
    const noted = (): void => undefined;
    const events = { owned: noted, lost: noted, added: noted };
    await first.open(events);
    const record = await queuesRecord(first);
    await calls.run((client) => client.del("site:jobs:lease"));
    await second.open(events);
    assert.equal(second.isOwner, true);
    const attempt = { ...record, state: "running", attempts: 1 } as const;
    await assert.rejects(first.write(attempt), /another node runs the jobs/);
    await second.write(attempt);
    assert.equal((await second.read("work", record.id))?.attempts, 1);
    await Promise.all([first.close(), second.close()]);
  });

  async function queuesRecord(store: RedisJobs) {
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const now = queues.clock.now();
    const times = { createdAt: now, runAt: now, startedAt: null, lastError: null };
    const names = { id, queue: "work", key: id, group: "", payload: "a" };
    const record = { ...names, state: "waiting", attempts: 0, ...times } as const;
    await store.write(record);
    return record;
  }
});
