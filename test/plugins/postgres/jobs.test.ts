import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { JobError } from "#lib/jobs";
import type { JobQueue } from "../../../plugins/jobs/job-queue.js";
import { jobsContract } from "../../../plugins/jobs/testing/jobs-contract.js";
import type { JobRecord } from "../../../plugins/jobs/contract.js";
import { deferred } from "../../support/deferred.js";
import { bundleProgram } from "../../support/processes/bundle-program.js";
import {
  needsNode22,
  sharedJobs,
  startSharedNode,
  type WorkOptions,
} from "../../support/servers/shared-jobs.js";
import { startTcpProxy } from "../../support/servers/tcp-proxy.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";

describe("the jobs in PostgreSQL", () => {
  let url = "";
  const nodes: JobQueue[] = [];
  before(function () {
    needsNode22(this);
  });
  beforeEach(async function () {
    url = (await usePostgres(this)).url;
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close();
  });
  const start = async (options: WorkOptions, clock?: { now(): number }): Promise<JobQueue> => {
    const node = await startSharedNode(url, options, clock);
    nodes.push(node);
    return node;
  };
  const query = async (sql: string, values: unknown[] = []): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql, values);
    } finally {
      await client.end();
    }
  };

  describe("as an engine", () => {
    jobsContract({ open: () => sharedJobs(url) });
  });

  it("runs jobs on all nodes at once, each job once", async () => {
    const seen: string[] = [];
    const gate = deferred<void>();
    const run = (node: string) => async (): Promise<void> => {
      seen.push(node);
      if (new Set(seen).size === 2) gate.resolve();
      await gate.promise;
    };
    const a = await start({ concurrency: 150, run: run("a") });
    await start({ concurrency: 150, run: run("b") });
    const ids = await a.addAll(
      "work",
      Array.from({ length: 150 }, () => ({ payload: "x" })),
    );
    assert.deepEqual(
      await Promise.all(ids.map((id) => a.outcome(id))),
      ids.map(() => null),
    );
    assert.equal(seen.length, 150);
  });

  it("holds back the successors of a job that failed, and no other key, on all nodes", async () => {
    const seen: string[] = [];
    const run: WorkOptions["run"] = async ({ payload, attempt }) => {
      seen.push(`${payload}${attempt}`);
      if (payload === "a" && attempt === 1) throw new Error("not yet");
    };
    const one = await start({ delaysMs: [1_500], run });
    const two = await start({ delaysMs: [1_500], run });
    const first = await one.add("work", "a", { key: "k" });
    const second = await two.add("work", "b", { key: "k" });
    const other = await two.add("work", "c", { key: "other" });
    await Promise.all([one.outcome(other), one.outcome(first), one.outcome(second)]);
    assert.deepEqual(
      seen.filter((name) => !name.startsWith("c")),
      ["a1", "a2", "b1"],
    );
    assert.ok(seen.indexOf("c1") < seen.indexOf("a2"));
  });

  it("keeps the order of jobs of one key that are added at the same time", async () => {
    const seen: string[] = [];
    const jobs = await start({ run: async ({ payload }) => void seen.push(payload) });
    const names = Array.from({ length: 30 }, (_, at) => String(at));
    const ids = await Promise.all(names.map((name) => jobs.add("work", name, { key: "k" })));
    await Promise.all(ids.map((id) => jobs.outcome(id)));
    assert.deepEqual(seen, names);
  });

  it("counts the delay from the end of an attempt, by the clock of the database", async () => {
    const hour = 3_600_000;
    // This node's clock is half a minute ahead.
    const clock = { now: () => Date.now() + 30_000 };
    const run: WorkOptions["run"] = ({ payload }) => {
      throw new JobError("not yet", payload === "asked" ? { retryAfterMs: 2 * hour } : {});
    };
    const jobs = await start({ delaysMs: [hour], run }, clock);
    const ids = [await jobs.add("work", "a"), await jobs.add("work", "asked")];
    const waiting = async () => (await jobs.list()).filter(({ lastError }) => lastError !== null);
    await until(async () => (await waiting()).length === 2);
    const records = await waiting();
    assert.deepEqual(
      records.map(({ id, state, attempts }) => [id, state, attempts]),
      [
        [ids[0], "waiting", 1],
        [ids[1], "waiting", 1],
      ],
    );
    const waits = records.map(({ runAt }) => Math.round((runAt - Date.now()) / 60_000));
    assert.deepEqual(waits, [60, 120]);
  });

  it("runs at most `concurrency` jobs of a group, and other groups beside them", async () => {
    const gate = deferred<void>();
    let running = 0;
    let most = 0;
    const jobs = await start({
      concurrency: 2,
      run: async ({ payload }) => {
        if (payload === "other") return;
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
      },
    });
    const added = Array.from({ length: 5 }, () => ({ payload: "x", group: "a" }));
    const ids = await jobs.addAll("work", added);
    await jobs.outcome(await jobs.add("work", "other", { group: "b" }));
    await until(() => running === 2);
    gate.resolve();
    await Promise.all(ids.map((id) => jobs.outcome(id)));
    assert.equal(most, 2);
  });

  it("merges a job that was added during an attempt into the one that failed", async () => {
    const seen: string[] = [];
    const gate = deferred<void>();
    const jobs = await start({
      delaysMs: [3_600_000],
      merge: (waiting, added) => `${waiting} ${added}`,
      run: async ({ payload }) => {
        seen.push(payload);
        await gate.promise;
        if (seen.length === 1) throw new Error("not yet");
      },
    });
    const id = await jobs.add("work", "a", { key: "k" });
    await until(() => seen.length === 1);
    const others = await Promise.all(
      ["b", "c"].map((name) => jobs.add("work", name, { key: "k" })),
    );
    assert.equal(new Set([id, ...others]).size, 2);
    gate.resolve();
    await until(async () => (await jobs.list()).length === 1);
    await jobs.flush("work");
    assert.match(seen[1] ?? "", /^a (b c|c b)$/);
  });

  it("calls `onDead` once, and deletes a dead job of a queue that does not keep them", async () => {
    const dead: [string, number][] = [];
    const jobs = await start({
      keepsDead: false,
      run: () => Promise.reject(new Error("no")),
      onDead: ({ payload, attempts }) => void dead.push([String(payload), attempts]),
    });
    await jobs.outcome(await jobs.add("work", "a"));
    assert.deepEqual(dead, [["a", 1]]);
    assert.deepEqual(await jobs.list(), []);
  });

  it("responds 503 with Retry-After when a bounded queue is full, and adds none of several", async () => {
    const runAt = Date.now() + 3_600_000;
    const jobs = await start({ maxWaiting: 2, run: async () => undefined });
    const three = ["a", "b", "c"].map((payload) => ({ payload, runAt }));
    await assert.rejects(jobs.addAll("work", three), { code: "ERR_JOBS_FULL", status: 503 });
    assert.deepEqual(await jobs.list(), []);
  });

  it("takes over the jobs of a process that was killed, before the next of their key", async () => {
    const program = await bundleProgram(
      join(import.meta.dirname, "../../support/processes/shared-jobs-node.ts"),
    );
    const child = spawn(process.execPath, [program, url], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const seen: [string, number][] = [];
    const taker = await start({
      delaysMs: [1],
      run: async ({ payload, attempt }) => void seen.push([payload, attempt]),
    });
    const next = await taker.add("work", "next", { key: "k" });
    // Its heartbeats go on.
    await delay(5_000);
    assert.deepEqual(seen, []);
    child.kill("SIGKILL");
    const killedAt = performance.now();
    await until(() => seen.length > 0);
    assert.ok(performance.now() - killedAt < 5_000, `${performance.now() - killedAt} ms`);
    await taker.outcome(next);
    assert.deepEqual(seen, [
      ["held", 2],
      ["next", 1],
    ]);
    await rm(dirname(program), { recursive: true });
  });

  it("repeats an attempt whose fetch the network lost", async () => {
    const proxy = await startTcpProxy(url);
    const seen: string[] = [];
    const node = await startSharedNode(proxy.url, {
      delaysMs: [1],
      run: async ({ payload }) => void seen.push(payload),
    });
    await node.add("work", "fetched", { runAt: Date.now() + 3_600_000 });
    // As a fetch leaves it; pg-boss would wait for heartbeats until then.
    await query(
      "update site_jobs.job set state = 'active', started_on = now(), heartbeat_on = now() + interval '1 hour' where name = 'work'",
    );
    await proxy.cut();
    // Longer than a turn, so that a fetch fails.
    await delay(1_500);
    await proxy.restore();
    await until(() => seen.length > 0);
    await node.close();
    await proxy.close();
  });

  it("repeats no attempt of a node that was cut off with the others for a while", async () => {
    const proxy = await startTcpProxy(url);
    const gate = deferred<void>();
    const seen: string[] = [];
    const run = (node: string) => async (): Promise<void> => {
      seen.push(node);
      await gate.promise;
    };
    const a = await startSharedNode(proxy.url, { delaysMs: [1], run: run("a") });
    const b = await startSharedNode(proxy.url, { delaysMs: [1], run: run("b") });
    const id = await a.add("work", "x");
    await until(() => seen.length === 1);
    await proxy.cut();
    await delay(6_000);
    await proxy.restore();
    await delay(3_000);
    gate.resolve();
    assert.equal(await b.outcome(id), null);
    assert.equal(seen.length, 1);
    await a.close();
    await b.close();
    await proxy.close();
  });

  it("runs what was added while the database was away, in order, if its cause is stored", async () => {
    const proxy = await startTcpProxy(url);
    const seen: string[] = [];
    const node = await startSharedNode(proxy.url, {
      runsUnstored: true,
      run: async ({ payload }) => void seen.push(payload),
    });
    await proxy.cut();
    await Promise.all(["a", "b"].map((payload) => node.add("work", payload, { key: "k" })));
    await proxy.restore();
    await node.add("work", "c", { key: "k" });
    await until(() => seen.length === 3);
    assert.deepEqual(seen, ["a", "b", "c"]);
    const strict = await startSharedNode(proxy.url, { run: async () => undefined });
    await proxy.cut();
    await assert.rejects(strict.add("work", "d"), { code: "ERR_POSTGRES_DOWN" });
    await proxy.restore();
    await node.close();
    await strict.close();
    await proxy.close();
  });

  it("does not repeat a last attempt that was cut short, and calls `onDead`", async () => {
    const gate = deferred<void>();
    const dead: unknown[] = [];
    // Either node may find it.
    const onDead = ({ attempts, lastError }: JobRecord): void =>
      void dead.push([attempts, lastError]);
    const cut = await startSharedNode(url, { run: () => gate.promise, onDead });
    const id = await cut.add("work", "a");
    await until(() => cut.status()["work"]?.running === 1);
    await query(
      "update site_jobs.job set retry_count = retry_count, state = 'retry', output = $1 where state = 'active'",
      [JSON.stringify({ message: "the process ended during the attempt" })],
    );
    gate.resolve();
    await cut.close();
    const jobs = await start({ run: () => assert.fail("ran again"), onDead });
    assert.equal((await jobs.outcome(id))?.state, "dead");
    assert.deepEqual(dead, [[1, "the process ended during the attempt"]]);
  });

  describe("do not start", () => {
    it("on a schema of a newer version", async () => {
      await (await sharedJobs(url)).close();
      await query("update site_jobs.version set version = 9999");
      await assert.rejects(sharedJobs(url), { code: "ERR_DATABASE_NEWER" });
    });

    it("with a role that may not create a schema, and name the right", async () => {
      await query("create role plain login password 'plain'").catch(() => undefined);
      const plain = new URL(url);
      plain.username = plain.password = "plain";
      await assert.rejects(sharedJobs(plain.href), {
        code: "ERR_POSTGRES_RIGHTS",
        fix: /grant create on database/,
      });
    });
  });
});
