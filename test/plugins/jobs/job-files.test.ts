import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { silentLog } from "#lib/log";
import { jobsContract } from "../../../plugins/jobs/testing/jobs-contract.js";
import { JobFiles } from "../../../plugins/jobs/engines/job-files.js";
import { StoredJobs } from "../../../plugins/jobs/engines/stored-jobs.js";
import { bundleProgram } from "../../support/processes/bundle-program.js";
import { deferred } from "../../support/deferred.js";
import { useFolder } from "../../support/folder.js";
import { jobAttemptsSuite } from "../../support/suites/job-attempts-suite.js";
import { jobBatchSuite } from "../../support/suites/job-batch-suite.js";
import { jobOrderSuite } from "../../support/suites/job-order-suite.js";
import { JobQueues } from "../../support/suites/job-queues.js";
import { until } from "../../support/until.js";

describe("the jobs in files", () => {
  const folder = useFolder();
  const queues = new JobQueues(() => new JobFiles(join(folder.path, "jobs")));
  const work = (): string => join(folder.path, "jobs", "work");

  describe("as an engine", () => {
    jobsContract({
      open: () => {
        const store = new JobFiles(join(folder.path, "jobs"));
        const { signal } = new AbortController();
        return new StoredJobs({ store, clock: { now: () => Date.now() }, log: silentLog, signal });
      },
    });
  });

  jobOrderSuite(queues);
  jobAttemptsSuite(queues);
  jobBatchSuite(queues);

  it("stores jobs that are added together in one file, deleted with the last of them", async () => {
    const gate = deferred<void>();
    const { jobs } = queues.start({ run: () => gate.promise });
    const added = ["a", "b", "c"].map((payload) => ({ payload, group: payload }));
    const ids = await jobs.addAll("work", added);
    const stored = (await readdir(work())).filter((name) => name.endsWith(".jsonl"));
    assert.deepEqual(stored, [`${ids[0]}.jsonl`]);
    gate.resolve();
    await Promise.all(ids.map((id) => jobs.outcome(id)));
    assert.deepEqual(await readdir(work()), []);
  });

  it("skips a torn job of several that were added together", async () => {
    const first = queues.start({ run: async () => undefined });
    const runAt = queues.clock.now() + 60_000;
    const added = ["a", "b", "c"].map((payload) => ({ payload, runAt }));
    const [id, , last] = await first.jobs.addAll("work", added);
    await first.close();
    const file = join(work(), `${id}.jsonl`);
    const [one, , three] = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, `${one}\n{ torn\n${three}\n`);
    assert.deepEqual(await queues.ids(), [id, last]);
    const seen: string[] = [];
    const next = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await next.jobs.open();
    await until(async () => (await next.jobs.list()).length === 2);
    await next.jobs.flush("work");
    assert.deepEqual(seen, ["a", "c"]);
  });

  it("stores a job before `add` resolves, readable by the owner only", async () => {
    const gate = deferred<void>();
    const { jobs } = queues.start({ run: () => gate.promise });
    const id = await jobs.add("work", "a");
    const text = await readFile(join(work(), `${id}.json`), "utf8");
    assert.equal(z.object({ payload: z.string() }).parse(JSON.parse(text)).payload, "a");
    assert.equal((await stat(join(work(), `${id}.json`))).mode & 0o777, 0o600);
    gate.resolve();
    await jobs.outcome(id);
  });

  it("takes over from an owner that was killed", async () => {
    const file = join(folder.path, "jobs", ".owner");
    const program = await bundleProgram(
      join(import.meta.dirname, "../../support/processes/lock-holder.ts"),
    );
    const owner = spawn(process.execPath, [program, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(owner.stdout, "data");
    const seen: string[] = [];
    const { jobs } = queues.start({ run: async ({ payload }) => void seen.push(payload) });
    await jobs.add("work", "a");
    assert.equal(jobs.isOwner, false);
    owner.kill("SIGKILL");
    await until(() => jobs.isOwner);
    await until(() => seen.length > 0);
    await rm(dirname(program), { recursive: true });
  });

  it("skips files that hold no job, and a payload of another shape is dead", async () => {
    const { id } = await queues.crashedDuring(1, { no: 1 });
    await writeFile(join(work(), "01ARZ3NDEKTSV4RRFFQ69G5FAW.json"), "{ torn");
    await writeFile(join(work(), "notes.txt"), "not a job");
    const { jobs } = queues.start({ delaysMs: [1], run: () => assert.fail("ran") });
    await jobs.open();
    await jobs.outcome(id);
    const dead = await jobs.list({ state: "dead" });
    assert.deepEqual(
      dead.map((record) => record.id),
      [id],
    );
  });

  it("rejects two queues of one name, and jobs for no queue", async () => {
    const { jobs } = queues.start({ run: async () => undefined });
    const options = { payload: z.string(), delaysMs: [], run: async () => undefined };
    assert.throws(() => jobs.define("work", options), { code: "ERR_JOBS_DUPLICATE" });
    assert.throws(() => jobs.define("../x", options), { code: "ERR_JOBS_DUPLICATE" });
    await assert.rejects(jobs.add("other", "a"), { code: "ERR_JOBS_UNKNOWN" });
  });
});
