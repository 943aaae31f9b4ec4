import assert from "node:assert/strict";
import { deferred } from "../deferred.js";
import type { JobQueues } from "./job-queues.js";
import { until } from "../until.js";

/** What adding many jobs at once promises. */
export function jobBatchSuite(queues: JobQueues): void {
  describe("added together", () => {
    it("run once each, in order per key, and leave nothing behind", async () => {
      const seen: string[] = [];
      const { jobs } = queues.start({
        concurrency: 4,
        run: async ({ payload }) => void seen.push(payload),
      });
      const names = Array.from({ length: 60 }, (_, at) => `${at % 3} ${at}`);
      const added = names.map((payload) => ({ payload, key: payload.slice(0, 1) }));
      const ids = await jobs.addAll("work", added);
      await Promise.all(ids.map((id) => jobs.outcome(id)));
      assert.equal(new Set(ids).size, 60);
      for (const key of ["0", "1", "2"]) {
        const ofKey = (all: readonly string[]): string[] => all.filter((one) => one[0] === key);
        assert.deepEqual(ofKey(seen), ofKey(names));
      }
      assert.deepEqual(await queues.ids(), []);
    });

    it("continue where another process ended", async () => {
      const gate = deferred<void>();
      const seen: string[] = [];
      const first = queues.start({
        run: async ({ payload }) => {
          if (payload === "c") await gate.promise;
          else seen.push(payload);
        },
      });
      const names = ["a", "b", "c", "d", "e"];
      const ids = await first.jobs.addAll(
        "work",
        names.map((payload) => ({ payload })),
      );
      await Promise.all(ids.slice(0, 2).map((id) => first.jobs.outcome(id)));
      const closed = first.close();
      gate.resolve();
      await closed;
      assert.deepEqual(await queues.ids(), ids.slice(3));
      const next = queues.start({ run: async ({ payload }) => void seen.push(payload) });
      await next.jobs.open();
      await Promise.all(ids.slice(3).map((id) => next.jobs.outcome(id)));
      assert.deepEqual(seen, ["a", "b", "d", "e"]);
      assert.deepEqual(await queues.ids(), []);
    });

    it("run in the process that owns the jobs", async () => {
      const seen: string[] = [];
      const owner = queues.start({ run: async ({ payload }) => void seen.push(payload) });
      await owner.jobs.open();
      const other = queues.start({ run: () => assert.fail("ran here") });
      const ids = await other.jobs.addAll("work", [{ payload: "a" }, { payload: "b" }]);
      await Promise.all(ids.map((id) => other.jobs.outcome(id)));
      assert.deepEqual(seen, ["a", "b"]);
    });

    it("die and are retried one by one", async () => {
      let fails = true;
      const { jobs } = queues.start({
        run: async ({ payload }) => {
          if (fails && payload === "b") throw new Error("no");
        },
      });
      const added = ["a", "b", "c"].map((payload) => ({ payload }));
      const [, second = ""] = await jobs.addAll("work", added);
      await until(async () => (await queues.ids("dead")).length === 1);
      await jobs.idle("work");
      assert.deepEqual([await queues.ids(), await queues.ids("dead")], [[], [second]]);
      fails = false;
      await jobs.retry(second);
      assert.equal(await jobs.outcome(second), null);
      assert.deepEqual(await queues.ids("dead"), []);
    });

    it("are rejected together when there is no room for all", async () => {
      const { jobs } = queues.start({ maxWaiting: 2, run: async () => undefined });
      const three = ["a", "b", "c"].map((payload) => ({ payload }));
      await assert.rejects(jobs.addAll("work", three), { code: "ERR_JOBS_FULL" });
      assert.deepEqual(await queues.ids(), []);
    });

    it("merge like jobs added one by one", async () => {
      const seen: string[] = [];
      const { jobs, ...queue } = queues.start({
        merge: (waiting, more) => `${waiting} ${more}`,
        run: async ({ payload }) => void seen.push(payload),
      });
      await jobs.open();
      await jobs.idle("work");
      const runAt = queues.clock.now() + 60_000;
      const added = ["a", "b", "c"].map((payload) => ({ payload, key: "k", runAt }));
      const ids = await jobs.addAll("work", added);
      assert.equal(new Set(ids).size, 1);
      await jobs.flush("work");
      assert.deepEqual(seen, ["a b c"]);
      await queue.close();
    });
  });
}
