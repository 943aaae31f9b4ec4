import assert from "node:assert/strict";
import { ulid } from "ulid";
import type { JobRecord } from "#lib/jobs";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { JobStore } from "../contract.js";

/** Creates the engine of the suite. */
export interface JobsFixture {
  /** An engine that stores nothing yet; the suite calls its `open` and `close` where it needs them. */
  open(): Promise<JobStore> | JobStore;
  /** Removes what `open` created. */
  remove?(): Promise<void> | void;
}

/** The rules of stores by the title of their check, which `jobsContract` states. */
export const JOBS_RULES: SuiteRules = {
  "stores, replaces and removes jobs":
    "`read` returns the job that `write` stored last, and null for one that does not exist or was removed",
  "stores many jobs at once":
    "`writeNew` stores all jobs of its list, each of which its owner then writes and removes alone",
  "lists the jobs of a queue, oldest first":
    "`list` and `count` know the jobs of one queue only, `list` from the oldest to the newest, with none that is dead",
  "keeps dead jobs apart":
    "a job that is written as dead is listed as dead alone, and among the others when it is written as waiting again",
  "is owned by the only process that opens it":
    "nothing is owned before `open`, which makes the only process the owner and calls `owned`",
};

/** Makes jobs, each a millisecond after the one before. */
function createJobs(): (queue: string, payload: unknown) => JobRecord {
  let moment = Date.parse("2026-11-20T12:00:00Z");
  return (queue, payload) => {
    moment += 1;
    const id = ulid(moment);
    return {
      id,
      queue,
      key: id,
      group: "",
      payload,
      state: "waiting",
      attempts: 0,
      createdAt: moment,
      runAt: moment,
      startedAt: null,
      lastError: null,
    };
  };
}

/** Resolves when this process is the owner. */
function own(store: JobStore): Promise<void> {
  return new Promise((resolve, reject) => {
    store.open({ owned: resolve, lost: () => undefined, added: () => undefined }).catch(reject);
  });
}

/** The conformance suite of engines for the slot `jobs`. Call it inside a `describe`. */
export function jobsContract(
  fixture: JobsFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, JOBS_RULES);
  let store: JobStore;
  const jobIn = createJobs();
  beforeEach(async () => {
    store = await fixture.open();
  });
  afterEach(async () => {
    await store.close();
    await fixture.remove?.();
  });
  const list = async (queue: string, kind: "live" | "dead"): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of store.list(queue, kind)) ids.push(id);
    return ids;
  };

  it("stores, replaces and removes jobs", async () => {
    const job = jobIn("mail", { to: "café 🎉", parts: [1, null] });
    assert.equal(await store.read("mail", job.id), null);
    await store.write(job);
    assert.deepEqual(await store.read("mail", job.id), job);
    const failed = { ...job, attempts: 1, startedAt: job.createdAt, lastError: "no answer" };
    await store.write(failed);
    assert.deepEqual(await store.read("mail", job.id), failed);
    await store.remove(failed);
    assert.equal(await store.read("mail", job.id), null);
    await store.remove(failed);
  });

  it("stores many jobs at once", async () => {
    await own(store);
    const jobs = [1, 2, 3].map((payload) => jobIn("mail", payload));
    await store.writeNew(jobs);
    assert.deepEqual(
      await list("mail", "live"),
      jobs.map(({ id }) => id),
    );
    const [first, second, third] = jobs;
    assert.ok(first && second && third);
    await store.write({ ...second, attempts: 1, startedAt: second.createdAt });
    await store.remove(first);
    assert.deepEqual(await list("mail", "live"), [second.id, third.id]);
    assert.equal((await store.read("mail", second.id))?.attempts, 1);
  });

  it("lists the jobs of a queue, oldest first", async () => {
    const jobs = [1, 2, 3].map((payload) => jobIn("mail", payload));
    for (const job of jobs.toReversed()) await store.write(job);
    await store.write(jobIn("pictures", 4));
    assert.deepEqual(
      await list("mail", "live"),
      jobs.map(({ id }) => id),
    );
    assert.deepEqual(
      [await store.count("mail", "live"), await store.count("mail", "dead")],
      [3, 0],
    );
    assert.equal(await store.count("pictures", "live"), 1);
  });

  it("keeps dead jobs apart", async () => {
    const job = jobIn("mail", 1);
    await store.write(job);
    await store.write({ ...job, state: "dead", attempts: 4, lastError: "no answer" });
    assert.deepEqual([await list("mail", "live"), await list("mail", "dead")], [[], [job.id]]);
    assert.equal(await store.count("mail", "dead"), 1);
    await store.write(job);
    assert.deepEqual([await list("mail", "live"), await list("mail", "dead")], [[job.id], []]);
  });

  it("is owned by the only process that opens it", async () => {
    assert.equal(store.isOwner, false);
    await own(store);
    assert.equal(store.isOwner, true);
  });
}
