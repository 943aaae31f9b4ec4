import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { JobQueueOptions, JobRecord } from "../../kernel/contracts.js";
import { SiteError } from "../../kernel/errors.js";
import { JobError } from "../../kernel/jobs/job-error.js";
import { JobFiles } from "../../kernel/jobs/job-files.js";
import { JobQueue } from "../../kernel/jobs/job-queue.js";

import { silentLog } from "../../kernel/log/log.js";
import { ProcessLock } from "../../kernel/files/process-lock.js";
import { testClock } from "../../kernel/testing/test-clock.js";
import { deferred } from "../support/deferred.js";
import { useFolder } from "../support/folder.js";

const text = z.string();

describe("site.jobs", () => {
  const folder = useFolder();
  const clock = testClock();
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  function start(options: Partial<JobQueueOptions<string>> & Pick<JobQueueOptions<string>, "run">) {
    const closing = new AbortController();
    const store = new JobFiles(join(folder.path, "jobs"));
    const jobs = new JobQueue({
      store: () => store,
      clock,
      log: silentLog,
      signal: closing.signal,
    });
    jobs.define<string>("work", { payload: text, delaysMs: [], ...options });
    const close = async (): Promise<void> => {
      closing.abort();
      await jobs.close();
    };
    ends.push(close);
    return { jobs, close };
  }
  const files = async (kind = ""): Promise<string[]> => {
    const names = await readdir(join(folder.path, "jobs", "work", kind)).catch(() => []);
    return names.filter((name) => name.endsWith(".json"));
  };

  it("runs a job with its payload and deletes it afterwards", async () => {
    const seen: unknown[] = [];
    const { jobs } = start({
      run: async ({ payload, attempt }) => void seen.push(payload, attempt),
    });
    const id = await jobs.add("work", "a");
    assert.equal(await jobs.outcome(id), null);
    assert.deepEqual(seen, ["a", 1]);
    assert.deepEqual(await files(), []);
  });

  it("stores a job before `add` resolves, readable by the owner only", async () => {
    const gate = deferred<void>();
    const { jobs } = start({ run: () => gate.promise });
    const id = await jobs.add("work", "a");
    const [name = ""] = await files();
    assert.equal(name, `${id}.json`);
    const stored: unknown = JSON.parse(
      await readFile(join(folder.path, "jobs", "work", name), "utf8"),
    );
    assert.equal((stored as JobRecord).payload, "a");
    gate.resolve();
    await jobs.outcome(id);
  });

  it("runs jobs of one key in order and other keys beside them", async () => {
    const gate = deferred<void>();
    const seen: string[] = [];
    const { jobs } = start({
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
    const { jobs } = start({ run: async ({ payload }) => void seen.push(payload) });
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
      const { jobs } = start({
        merge,
        run: async ({ payload }) => {
          seen.push(payload);
          if (seen.length === 1) await gate.promise;
        },
      });
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
      assert.deepEqual(await files(), []);
    });

    it("keeps the delay after a failed attempt, until it is flushed", async () => {
      const seen: string[] = [];
      const { jobs } = start({
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
      const first = start({ merge, run: async () => undefined });
      const runAt = clock.now() + 60_000;
      for (const name of ["a", "b", "c"]) await first.jobs.add("work", name, { key, runAt });
      await first.close();
      const seen: string[] = [];
      const { jobs } = start({ merge, run: async ({ payload }) => void seen.push(payload) });
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
    const { jobs } = start({
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
    assert.equal(most, 2);
    gate.resolve();
    await Promise.all(ids.map((id) => jobs.outcome(id)));
    assert.equal(most, 2);
  });

  it("tries a failed job again until an attempt succeeds", async () => {
    const attempts: [number, boolean][] = [];
    const { jobs } = start({
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
    const { jobs } = start({
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
    const { jobs } = start({
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
    assert.deepEqual([await files(), await files("dead")], [[], [`${id}.json`]]);
    assert.deepEqual(jobs.status(), { work: { waiting: 0, running: 0, dead: 1 } });
    fails = false;
    await jobs.retry(id);
    assert.equal(await jobs.outcome(id), null);
    assert.deepEqual([await files(), await files("dead")], [[], []]);
    await assert.rejects(jobs.retry(id), { code: "ERR_JOBS_NOT_FOUND" });
  });

  it("makes no further attempt after a permanent error", async () => {
    let attempts = 0;
    const { jobs } = start({
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

  it("runs what an earlier process stored, oldest first", async () => {
    const closed = start({ run: async () => undefined });
    await closed.close();
    const store = new JobFiles(join(folder.path, "jobs"));
    const earlier = new JobQueue({
      store: () => store,
      clock,
      log: silentLog,
      signal: new AbortController().signal,
    });
    const lock = await ownElsewhere();
    earlier.define<string>("work", { payload: text, delaysMs: [], run: async () => undefined });
    await earlier.add("work", "1", { key: "k" });
    await earlier.add("work", "2", { key: "k" });
    assert.equal(earlier.isOwner, false);
    await earlier.close();
    lock.release();
    const seen: string[] = [];
    const { jobs } = start({ run: async ({ payload }) => void seen.push(payload) });
    await jobs.open();
    await jobs.idle("work");
    assert.deepEqual(seen, ["1", "2"]);
  });

  it("waits for the outcome of a job that another process runs", async () => {
    const lock = await ownElsewhere();
    const away = start({ run: () => assert.fail("ran in a process that is not the owner") });
    const id = await away.jobs.add("work", "a");
    const outcome = away.jobs.outcome(id);
    lock.release();
    const seen: string[] = [];
    const owner = start({ run: async ({ payload }) => void seen.push(payload) });
    await owner.jobs.open();
    assert.equal(owner.jobs.isOwner, true);
    assert.equal(await outcome, null);
    assert.deepEqual(seen, ["a"]);
  });

  it("takes over from an owner that was killed", async () => {
    const file = join(folder.path, "jobs", ".owner");
    const program = join(import.meta.dirname, "../support/lock-holder.ts");
    const args = ["--import=tsx", "--conditions=source", program, file];
    const owner = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(owner.stdout, "data");
    const seen: string[] = [];
    const { jobs } = start({ run: async ({ payload }) => void seen.push(payload) });
    await jobs.add("work", "a");
    assert.equal(jobs.isOwner, false);
    owner.kill("SIGKILL");
    await until(async () => (jobs.isOwner ? true : null));
    await until(async () => (seen.length > 0 ? true : null));
  }).timeout(20_000);

  it("claims the jobs without starting those that wait, until one is added", async () => {
    const earlier = start({ delaysMs: [], run: async () => undefined });
    const lock = await ownElsewhere();
    await earlier.jobs.add("work", "left", { key: "k" });
    await earlier.close();
    lock.release();
    const seen: string[] = [];
    const { jobs } = start({ run: async ({ payload }) => void seen.push(payload) });
    assert.equal(await jobs.claim(), true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(seen, []);
    await jobs.outcome(await jobs.add("work", "new", { key: "k" }));
    assert.deepEqual(seen, ["left", "new"]);
  });

  it("deletes a dead job of a queue that does not keep them", async () => {
    const dead: number[] = [];
    const { jobs } = start({
      keepsDead: false,
      run: () => Promise.reject(new Error("no")),
      onDead: ({ attempts }) => void dead.push(attempts),
    });
    assert.equal((await jobs.outcome(await jobs.add("work", "a")))?.state, "dead");
    assert.deepEqual(dead, [1]);
    assert.deepEqual([await files(), await files("dead")], [[], []]);
    assert.deepEqual(jobs.status(), { work: { waiting: 0, running: 0, dead: 0 } });
  });

  it("does not wait longer because the clock was set back", async () => {
    const seen: string[] = [];
    const { jobs } = start({ run: async ({ payload }) => void seen.push(payload) });
    const lock = await ownElsewhere();
    await jobs.add("work", "a");
    clock.advance(-3_600_000);
    lock.release();
    await until(async () => (seen.length > 0 ? true : null));
    clock.advance(3_600_000);
  }).timeout(10_000);

  it("counts an attempt that a crash cut short", async () => {
    const record = await crashedDuring(1);
    const attempts: number[] = [];
    const { jobs } = start({
      delaysMs: [1],
      run: async ({ attempt }) => void attempts.push(attempt),
    });
    await jobs.open();
    await until(async () => (await files()).length === 0 || null);
    assert.deepEqual(attempts, [2]);
    assert.equal(await jobs.outcome(record.id), null);
  });

  it("does not repeat a last attempt that a crash cut short", async () => {
    const record = await crashedDuring(2);
    const { jobs } = start({ delaysMs: [1], run: () => assert.fail("ran again") });
    await jobs.open();
    await jobs.idle("work");
    const [dead] = await jobs.list({ state: "dead" });
    assert.equal(dead?.id, record.id);
  });

  it("skips files that hold no job, and a payload of another shape is dead", async () => {
    const at = join(folder.path, "jobs", "work");
    await mkdir(at, { recursive: true });
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    await writeFile(join(at, `${id}.json`), JSON.stringify({ ...base(id), payload: { no: 1 } }));
    await writeFile(join(at, "01ARZ3NDEKTSV4RRFFQ69G5FAW.json"), "{ torn");
    await writeFile(join(at, "notes.txt"), "not a job");
    const { jobs } = start({ delaysMs: [1], run: () => assert.fail("ran") });
    await jobs.open();
    await jobs.idle("work");
    const dead = await jobs.list({ state: "dead" });
    assert.deepEqual(
      dead.map((record) => record.id),
      [id],
    );
  });

  it("responds 503 with Retry-After when a bounded queue is full", async () => {
    const gate = deferred<void>();
    const { jobs } = start({ maxWaiting: 2, run: () => gate.promise });
    const ids = [await jobs.add("work", "a"), await jobs.add("work", "b")];
    await assert.rejects(jobs.add("work", "c"), { code: "ERR_JOBS_FULL", status: 503 });
    gate.resolve();
    await Promise.all(ids.map((id) => jobs.outcome(id)));
  });

  it("starts no job after closing began; it runs at the next start", async () => {
    const gate = deferred<void>();
    const first = start({ run: () => gate.promise });
    await first.jobs.add("work", "a", { key: "k" });
    const waiting = await first.jobs.add("work", "b", { key: "k" });
    const closing = first.close();
    gate.resolve();
    await closing;
    assert.deepEqual(await files(), [`${waiting}.json`]);
    const seen: string[] = [];
    const { jobs } = start({ run: async ({ payload }) => void seen.push(payload) });
    await jobs.open();
    await jobs.idle("work");
    assert.deepEqual(seen, ["b"]);
  });

  it("rejects two queues of one name, and jobs for no queue", async () => {
    const { jobs } = start({ run: async () => undefined });
    const options = { payload: text, delaysMs: [], run: async () => undefined };
    assert.throws(() => jobs.define("work", options), { code: "ERR_JOBS_DUPLICATE" });
    assert.throws(() => jobs.define("../x", options), { code: "ERR_JOBS_DUPLICATE" });
    await assert.rejects(jobs.add("other", "a"), { code: "ERR_JOBS_UNKNOWN" });
  });

  /** Another process is the owner. */
  async function ownElsewhere(): Promise<ProcessLock> {
    const locked = (): SiteError => new SiteError("ERR_ROOT_LOCKED", "locked", {});
    const lock = await ProcessLock.acquire(join(folder.path, "jobs", ".owner"), { locked });
    ends.push(async () => lock.release());
    return lock;
  }
  function base(id: string): JobRecord {
    const now = clock.now();
    const times = { createdAt: now, runAt: now };
    return {
      id,
      queue: "work",
      key: id,
      group: "",
      payload: "a",
      state: "waiting",
      attempts: 0,
      startedAt: null,
      lastError: null,
      ...times,
    };
  }
  async function crashedDuring(attempts: number): Promise<JobRecord> {
    const record: JobRecord = { ...base("01ARZ3NDEKTSV4RRFFQ69G5FAV"), state: "running", attempts };
    await new JobFiles(join(folder.path, "jobs")).write(record);
    return record;
  }
});

/** What `ask` gives once it is not null. */
async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (let turn = 0; turn < 2_000; turn++) {
    const value = await ask();
    if (value !== null) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("it did not happen");
}
