import assert from "node:assert/strict";
import { z } from "zod";
import { silentLog } from "#kernel";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { Job, JobEngine, JobQueueOptions, Jobs } from "../contract.js";
import { JobQueue } from "../job-queue.js";

/** Creates the engine of the suite. */
export interface JobsFixture {
  /** An engine on one store, as each process has its own; the store is empty at the first call of a check. */
  open(): Promise<JobEngine> | JobEngine;
  /** Removes what `open` created; the suite has closed the engines. */
  remove?(): Promise<void> | void;
}

/** The rules of engines by the title of their check, which `jobsContract` states. */
export const JOBS_RULES: SuiteRules = {
  "runs each job once and deletes it":
    "`add` stores all jobs of its list, each of which runs once with its payload and is deleted when it has succeeded",
  "tries a failed job again before the next one of its key":
    "a failed attempt is repeated after its delay, and later jobs of the same key, but of no other, wait for it",
  "keeps dead jobs apart until they are retried":
    "a job whose last attempt failed is listed as dead, holds back no other job, and runs again after `retry`",
  "merges jobs of one key that wait":
    "in a queue that merges, waiting jobs of one key are one job with the merged payload and one id",
  "leaves waiting jobs to the next process":
    "`close` ends no job that waits: the next engine on the same store lists and runs it",
};

/** The queue of the checks. */
type Options = Partial<JobQueueOptions<string>> & Pick<JobQueueOptions<string>, "run">;

/** Resolves when jobs have succeeded. */
async function ended(jobs: Jobs, ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal(await jobs.outcome(id), null);
}

/** The conformance suite of engines for the slot `jobs`. Call it inside a `describe`. */
export function jobsContract(
  fixture: JobsFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, JOBS_RULES);
  const clock = { now: () => Date.now() };
  let opened: JobQueue[] = [];
  beforeEach(() => {
    opened = [];
  });
  afterEach(async () => {
    for (const jobs of opened) await jobs.close();
    await fixture.remove?.();
  });
  const start = async (options: Options): Promise<JobQueue> => {
    const engine = await fixture.open();
    const jobs = new JobQueue({ engine: () => engine, clock, log: silentLog });
    jobs.define<string>("work", { payload: z.string(), delaysMs: [1], ...options });
    opened.push(jobs);
    await jobs.open();
    return jobs;
  };

  it("runs each job once and deletes it", async () => {
    const seen: string[] = [];
    const jobs = await start({ run: async ({ payload }) => void seen.push(payload) });
    const payloads = ["café 🎉", "nul \0", ""];
    const ids = await jobs.addAll(
      "work",
      payloads.map((payload) => ({ payload, key: "k" })),
    );
    await ended(jobs, ids);
    assert.deepEqual(seen, payloads);
    assert.deepEqual(await jobs.list(), []);
  });

  failureChecks({ it, start });

  it("merges jobs of one key that wait", async () => {
    const seen: string[] = [];
    const jobs = await start({
      merge: (waiting, added) => `${waiting} ${added}`,
      run: async ({ payload }) => void seen.push(payload),
    });
    await jobs.idle("work");
    const runAt = clock.now() + 3_600_000;
    const id = await jobs.add("work", "a", { key: "k", runAt });
    assert.equal(await jobs.add("work", "b", { key: "k", runAt }), id);
    await jobs.flush("work");
    assert.deepEqual(seen, ["a b"]);
  });

  it("leaves waiting jobs to the next process", async () => {
    const run = async (): Promise<void> => undefined;
    const first = await start({ run });
    const runAt = clock.now() + 3_600_000;
    const id = await first.add("work", "a", { runAt });
    await first.close();
    const next = await start({ run });
    assert.deepEqual(
      (await next.list()).map((job) => [job.id, job.state, job.payload]),
      [[id, "waiting", "a"]],
    );
    await next.flush("work");
    assert.equal(await next.outcome(id), null);
  });
}

/** The checks of attempts that fail. */
function failureChecks({
  it,
  start,
}: Pick<TestRunner, "it"> & { start(options: Options): Promise<JobQueue> }): void {
  it("tries a failed job again before the next one of its key", async () => {
    const seen: string[] = [];
    const run = async ({ payload, attempt }: Job<string>): Promise<void> => {
      seen.push(`${payload} ${attempt}`);
      if (payload === "a" && attempt === 1) throw new Error("not yet");
    };
    const jobs = await start({ delaysMs: [3_600_000], run });
    const first = await jobs.add("work", "a", { key: "k" });
    const second = await jobs.add("work", "b", { key: "k" });
    await ended(jobs, [await jobs.add("work", "c", { key: "other" })]);
    await jobs.idle("work");
    assert.deepEqual(seen, ["a 1", "c 1"]);
    await jobs.flush("work");
    await ended(jobs, [first, second]);
    assert.deepEqual(seen, ["a 1", "c 1", "a 2", "b 1"]);
  });

  it("keeps dead jobs apart until they are retried", async () => {
    let fails = true;
    const jobs = await start({
      delaysMs: [],
      run: async ({ payload }) => {
        if (fails && payload === "a") throw new Error("no answer");
      },
    });
    const id = await jobs.add("work", "a", { key: "k" });
    const next = await jobs.add("work", "b", { key: "k" });
    const dead = await jobs.outcome(id);
    assert.deepEqual([dead?.state, dead?.attempts, dead?.lastError], ["dead", 1, "no answer"]);
    await ended(jobs, [next]);
    assert.deepEqual(
      (await jobs.list({ queue: "work", state: "dead" })).map((job) => [job.id, job.payload]),
      [[id, "a"]],
    );
    fails = false;
    assert.equal((await jobs.retry(id)).id, id);
    await ended(jobs, [id]);
    assert.deepEqual(await jobs.list(), []);
    await assert.rejects(jobs.retry(id), { code: "ERR_JOBS_NOT_FOUND" });
  });
}
