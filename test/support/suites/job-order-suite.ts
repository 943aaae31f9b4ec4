import assert from "node:assert/strict";
import { deferred } from "../deferred.js";
import type { JobQueues } from "./job-queues.js";
import { until } from "../until.js";

/** What adding and running jobs promises. */
export function jobOrderSuite(queues: JobQueues): void {
  const { clock } = queues;

  it("runs a job with its payload and deletes it afterwards", async () => {
    const seen: unknown[] = [];
    const { jobs } = queues.start({
      run: async ({ payload, attempt }) => void seen.push(payload, attempt),
    });
    const id = await jobs.add("work", "a");
    assert.equal(await jobs.outcome(id), null);
    assert.deepEqual(seen, ["a", 1]);
    assert.deepEqual(await queues.ids(), []);
  });

  it("runs jobs of one key in order and other keys beside them", async () => {
    const gate = deferred<void>();
    const seen: string[] = [];
    const { jobs } = queues.start({
      concurrency: 4,
      run: async ({ payload }) => {
        if (payload === "a1") await gate.promise;
        seen.push(payload);
      },
    });
    const first = await jobs.add("work", "a1", { key: "a" });
    const second = await jobs.add("work", "a2", { key: "a" });
    await jobs.outcome(await jobs.add("work", "b1", { key: "b" }));
    assert.deepEqual(seen, ["b1"]);
    gate.resolve();
    await Promise.all([jobs.outcome(first), jobs.outcome(second)]);
    assert.deepEqual(seen, ["b1", "a1", "a2"]);
  });

  it("keeps the order of jobs of one key that are added at the same time", async () => {
    const seen: string[] = [];
    const { jobs } = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    const names = Array.from({ length: 30 }, (_, at) => String(at));
    const ids = await Promise.all(names.map((name) => jobs.add("work", name, { key: "k" })));
    await Promise.all(ids.map((id) => jobs.outcome(id)));
    assert.deepEqual(seen, names);
  });

  describe("a queue that merges", () => {
    const merge = (waiting: string, added: string): string => `${waiting} ${added}`;
    const key = "k";

    it("makes one job of those of a key that wait, and another one of those added while it runs", async () => {
      const gate = deferred<void>();
      const seen: string[] = [];
      const { jobs } = queues.start({
        merge,
        run: async ({ payload }) => {
          seen.push(payload);
          if (seen.length === 1) await gate.promise;
        },
      });
      await jobs.open();
      await jobs.idle("work");
      const later = clock.now() + 60_000;
      const first = await jobs.add("work", "a", { key, runAt: later });
      assert.equal(await jobs.add("work", "b", { key, runAt: later }), first);
      assert.deepEqual(
        (await jobs.list()).map(({ payload }) => payload),
        ["a b"],
      );
      const more = ["c", "d", "e"].map((name) => jobs.add("work", name, { key, runAt: later }));
      await Promise.all(more);
      const flushed = jobs.flush("work");
      assert.notEqual(await jobs.add("work", "f", { key }), first);
      await jobs.add("work", "g", { key });
      gate.resolve();
      await flushed;
      assert.deepEqual(seen, ["a b c d e", "f g"]);
      assert.deepEqual(await queues.ids(), []);
    });

    it("keeps the delay after a failed attempt, until it is flushed", async () => {
      const seen: string[] = [];
      const { jobs } = queues.start({
        merge,
        delaysMs: [60_000],
        run: async ({ payload }) => {
          seen.push(payload);
          if (seen.length === 1) throw new Error("not yet");
        },
      });
      await jobs.add("work", "a", { key });
      await jobs.idle("work");
      await jobs.add("work", "b", { key });
      await jobs.idle("work");
      assert.deepEqual(seen, ["a"]);
      await jobs.flush("work");
      assert.deepEqual(seen, ["a", "a b"]);
    });

    it("runs what was merged before a crash", async () => {
      const first = queues.start({ merge, run: async () => undefined });
      const runAt = clock.now() + 60_000;
      for (const name of ["a", "b", "c"]) await first.jobs.add("work", name, { key, runAt });
      await first.close();
      const seen: string[] = [];
      const { jobs } = queues.start({ merge, run: async ({ payload }) => void seen.push(payload) });
      await jobs.open();
      await jobs.idle("work");
      await jobs.flush("work");
      assert.deepEqual(seen, ["a b c"]);
    });
  });

  it("runs at most `concurrency` jobs of a group, and other groups beside them", async () => {
    const gate = deferred<void>();
    let running = 0;
    let most = 0;
    const { jobs } = queues.start({
      concurrency: 2,
      run: async ({ payload }) => {
        if (payload === "other") return;
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
      },
    });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await jobs.add("work", "x", { group: "a" }));
    await jobs.outcome(await jobs.add("work", "other", { group: "b" }));
    await until(() => running === 2);
    gate.resolve();
    await Promise.all(ids.map((id) => jobs.outcome(id)));
    assert.equal(most, 2);
  });

  it("runs what an earlier process stored, oldest first", async () => {
    const lock = await queues.ownElsewhere();
    const earlier = queues.start({ run: async () => undefined });
    await earlier.jobs.add("work", "1", { key: "k" });
    await earlier.jobs.add("work", "2", { key: "k" });
    assert.equal(earlier.jobs.isOwner, false);
    await earlier.close();
    await lock.release();
    const seen: string[] = [];
    const { jobs } = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await jobs.open();
    await jobs.idle("work");
    assert.deepEqual(seen, ["1", "2"]);
  });

  it("waits for the outcome of a job that another process runs", async () => {
    const lock = await queues.ownElsewhere();
    const away = queues.start({ run: () => assert.fail("ran in a process that is not the owner") });
    const id = await away.jobs.add("work", "a");
    const outcome = away.jobs.outcome(id);
    await lock.release();
    const seen: string[] = [];
    const owner = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await owner.jobs.open();
    assert.equal(owner.jobs.isOwner, true);
    assert.equal(await outcome, null);
    assert.deepEqual(seen, ["a"]);
  });

  it("claims the jobs without starting those that wait, until one is added", async () => {
    const earlier = queues.start({ delaysMs: [], run: async () => undefined });
    const lock = await queues.ownElsewhere();
    await earlier.jobs.add("work", "left", { key: "k" });
    await earlier.close();
    await lock.release();
    // Ids of one millisecond, made by two processes, are in no order.
    clock.advance(1);
    const seen: string[] = [];
    const { jobs } = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    assert.equal(await jobs.claim(), true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(seen, []);
    await jobs.outcome(await jobs.add("work", "new", { key: "k" }));
    assert.deepEqual(seen, ["left", "new"]);
  });

  it("starts no job after closing began; it runs at the next start", async () => {
    const gate = deferred<void>();
    const first = queues.start({ run: () => gate.promise });
    await first.jobs.open();
    await first.jobs.idle("work");
    await first.jobs.add("work", "a", { key: "k" });
    const waiting = await first.jobs.add("work", "b", { key: "k" });
    const closing = first.close();
    gate.resolve();
    await closing;
    assert.deepEqual(await queues.ids(), [waiting]);
    const seen: string[] = [];
    const { jobs } = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await jobs.open();
    await jobs.idle("work");
    assert.deepEqual(seen, ["b"]);
  });
}
