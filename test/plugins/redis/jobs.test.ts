import assert from "node:assert/strict";
import { RedisCalls } from "#lib/databases";
import { RedisJobs } from "../../../plugins/redis/engines/jobs.js";
import { redisDown } from "../../../plugins/redis/errors.js";
import { jobAttemptsSuite } from "../../support/suites/job-attempts-suite.js";
import { jobBatchSuite } from "../../support/suites/job-batch-suite.js";
import { jobOwnerSuite } from "../../support/suites/job-owner-suite.js";
import { jobOrderSuite } from "../../support/suites/job-order-suite.js";
import { JobQueues } from "../../support/suites/job-queues.js";
import { useRedis } from "../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";

const callsTo = (url: string): RedisCalls =>
  new RedisCalls({ url, toError: redisDown, onError: () => undefined });

describe("the jobs in Redis", () => {
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
  jobOwnerSuite(queues, {
    proxy: () => proxy,
    away: () => {
      const lost = callsTo(proxy.url);
      return { store: () => new RedisJobs(lost), close: () => lost.close() };
    },
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
