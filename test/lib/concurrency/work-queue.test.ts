import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { deferred } from "../../support/deferred.js";
import { HttpError } from "#lib/errors";
import { WorkQueue } from "../../../lib/concurrency/work-queue.js";

const busy = (reason: string) => new HttpError(503, reason, { code: "ERR_BUSY" });
const limits = { concurrency: 2, length: 3, maxWaitMs: 60_000, busy };
const stays = new AbortController().signal;

function job() {
  const { promise, resolve, reject } = deferred<string>();
  return { work: () => promise, finish: resolve, fail: reject };
}

describe("WorkQueue", () => {
  it("runs two jobs at a time, queues some, rejects the rest", async () => {
    const queue = new WorkQueue(limits);
    const jobs = Array.from({ length: 5 }, job);
    const results = jobs.map(({ work }) => queue.run(work, stays));
    assert.deepEqual([queue.running, queue.waiting], [2, 3]);
    await assert.rejects(queue.run(job().work, stays), {
      code: "ERR_BUSY",
      message: "full",
    });
    jobs.forEach(({ finish }, index) => finish(`${index}`));
    assert.deepEqual(await Promise.all(results), ["0", "1", "2", "3", "4"]);
    assert.deepEqual([queue.running, queue.waiting], [0, 0]);
  });

  it("gives the slot of a caller that leaves to the next", async () => {
    const queue = new WorkQueue({ ...limits, concurrency: 1, length: 1 });
    const [first, second, third] = [job(), job(), job()];
    const leaving = new AbortController();
    const running = queue.run(first.work, stays);
    const left = queue.run(second.work, leaving.signal);
    leaving.abort(new Error("gone"));
    await assert.rejects(left, /gone/);
    const stayed = queue.run(third.work, stays);
    first.finish("first");
    third.finish("third");
    assert.deepEqual(await Promise.all([running, stayed]), ["first", "third"]);
    await assert.rejects(queue.run(job().work, leaving.signal), /gone/);
    assert.equal(queue.running, 0);
  });

  it("continues after a job that fails", async () => {
    const queue = new WorkQueue({ ...limits, concurrency: 1 });
    const [bad, good] = [job(), job()];
    const results = [queue.run(bad.work, stays), queue.run(good.work, stays)];
    bad.fail("broken");
    good.finish("fine");
    const [first, second] = await Promise.allSettled(results);
    assert.equal(first?.status, "rejected");
    assert.equal(second?.status, "fulfilled");
    assert.equal(queue.running, 0);
  });

  it("rejects a job that has waited longer than the limit", async () => {
    const queue = new WorkQueue({ concurrency: 1, length: 1, maxWaitMs: 5, busy });
    const first = job();
    const running = queue.run(first.work, stays);
    await assert.rejects(queue.run(job().work, stays), { message: "slow" });
    first.finish("");
    await running;
    assert.deepEqual([queue.running, queue.waiting], [0, 0]);
  });

  it("frees the place of a job that has waited too long while the others still run", async () => {
    const queue = new WorkQueue({ concurrency: 1, length: 1, maxWaitMs: 20, busy });
    const first = job();
    const running = queue.run(first.work, stays);
    await assert.rejects(queue.run(job().work), { message: "slow" });
    assert.equal(queue.waiting, 0);
    let wasStarted = false;
    const next = queue.run(() => void (wasStarted = true));
    first.finish("");
    await Promise.all([running, next]);
    assert.ok(wasStarted);
    assert.deepEqual([queue.running, queue.waiting], [0, 0]);
  });

  it("keeps the context of the caller that waited", async () => {
    const storage = new AsyncLocalStorage<string>();
    const queue = new WorkQueue({ ...limits, concurrency: 1 });
    const first = job();
    const running = storage.run("first", () => queue.run(first.work));
    const second = storage.run("second", () => queue.run(() => storage.getStore()));
    first.finish("");
    await running;
    assert.equal(await second, "second");
  });
});
