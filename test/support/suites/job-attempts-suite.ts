import assert from "node:assert/strict";
import { JobError } from "#lib/jobs";
import { deferred } from "../deferred.js";
import type { JobQueues } from "./job-queues.js";
import { until } from "../until.js";

/** What attempts of jobs promise, on any store. */
export function jobAttemptsSuite(queues: JobQueues): void {
  const { clock } = queues;

  it("tries a failed job again until an attempt succeeds", async () => {
    const attempts: [number, boolean][] = [];
    const { jobs } = queues.start({
      delaysMs: [1, 1],
      run: async ({ attempt, isLast }) => {
        attempts.push([attempt, isLast]);
        if (attempt < 3) throw new Error("not yet");
      },
    });
    assert.equal(await jobs.outcome(await jobs.add("work", "a")), null);
    assert.deepEqual(attempts, [
      [1, false],
      [2, false],
      [3, true],
    ]);
  });

  it("counts the delay from the end of a failed attempt, or as the error asks", async () => {
    const { jobs } = queues.start({
      delaysMs: [60_000],
      run: async ({ payload }) => {
        clock.advance(1_000);
        throw new JobError("not yet", payload === "asked" ? { retryAfterMs: 90_000 } : {});
      },
    });
    for (const [payload, delayMs] of [
      ["a", 60_000],
      ["asked", 90_000],
    ] as const) {
      const id = await jobs.add("work", payload);
      await jobs.idle("work");
      const record = (await jobs.list()).find((one) => one.id === id);
      assert.deepEqual(
        { state: record?.state, runAt: record?.runAt },
        { state: "waiting", runAt: clock.now() + delayMs },
      );
    }
  });

  it("keeps a job that failed every attempt as dead, and `retry` runs it again", async () => {
    let fails = true;
    const dead: string[] = [];
    const { jobs } = queues.start({
      delaysMs: [1],
      run: async () => {
        if (fails) throw new Error("the receiver is down");
      },
      onDead: (record) => void dead.push(record.id),
    });
    const id = await jobs.add("work", "a");
    const outcome = await jobs.outcome(id);
    assert.equal(outcome?.state, "dead");
    assert.equal(outcome?.attempts, 2);
    assert.equal(outcome?.lastError, "the receiver is down");
    assert.deepEqual(dead, [id]);
    assert.deepEqual([await queues.ids(), await queues.ids("dead")], [[], [id]]);
    assert.deepEqual(jobs.status(), { work: { waiting: 0, running: 0, dead: 1 } });
    fails = false;
    await jobs.retry(id);
    assert.equal(await jobs.outcome(id), null);
    assert.deepEqual([await queues.ids(), await queues.ids("dead")], [[], []]);
    await assert.rejects(jobs.retry(id), { code: "ERR_JOBS_NOT_FOUND" });
  });

  it("makes no further attempt after a permanent error", async () => {
    let attempts = 0;
    const { jobs } = queues.start({
      delaysMs: [1, 1, 1],
      run: () => {
        attempts += 1;
        throw new JobError("the address is unknown", { permanent: true });
      },
    });
    const outcome = await jobs.outcome(await jobs.add("work", "a"));
    assert.equal(outcome?.state, "dead");
    assert.equal(attempts, 1);
  });

  it("deletes a dead job of a queue that does not keep them", async () => {
    const dead: number[] = [];
    const { jobs } = queues.start({
      keepsDead: false,
      run: () => Promise.reject(new Error("no")),
      onDead: ({ attempts }) => void dead.push(attempts),
    });
    assert.equal((await jobs.outcome(await jobs.add("work", "a")))?.state, "dead");
    assert.deepEqual(dead, [1]);
    assert.deepEqual([await queues.ids(), await queues.ids("dead")], [[], []]);
    assert.deepEqual(jobs.status(), { work: { waiting: 0, running: 0, dead: 0 } });
  });

  it("does not wait longer because the clock was set back", async () => {
    const seen: string[] = [];
    const { jobs } = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    const lock = await queues.ownElsewhere();
    await jobs.add("work", "a");
    clock.advance(-3_600_000);
    await lock.release();
    await until(() => seen.length > 0);
    clock.advance(3_600_000);
  });

  it("counts an attempt that a crash cut short", async () => {
    const record = await queues.crashedDuring(1);
    const attempts: number[] = [];
    const { jobs } = queues.start({
      delaysMs: [1],
      run: async ({ attempt }) => void attempts.push(attempt),
    });
    await jobs.open();
    await until(async () => (await queues.ids()).length === 0);
    assert.deepEqual(attempts, [2]);
    assert.equal(await jobs.outcome(record.id), null);
  });

  it("does not repeat a last attempt that a crash cut short", async () => {
    const record = await queues.crashedDuring(2);
    const { jobs } = queues.start({ delaysMs: [1], run: () => assert.fail("ran again") });
    await jobs.open();
    await jobs.idle("work");
    const [dead] = await jobs.list({ state: "dead" });
    assert.equal(dead?.id, record.id);
  });

  it("responds 503 with Retry-After when a bounded queue is full", async () => {
    const gate = deferred<void>();
    const { jobs } = queues.start({ maxWaiting: 2, run: () => gate.promise });
    const ids = [await jobs.add("work", "a"), await jobs.add("work", "b")];
    await assert.rejects(jobs.add("work", "c"), { code: "ERR_JOBS_FULL", status: 503 });
    gate.resolve();
    await Promise.all(ids.map((id) => jobs.outcome(id)));
  });
}
