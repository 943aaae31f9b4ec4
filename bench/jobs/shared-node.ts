// One node of the bench of shared jobs: `node shared-node.ts site|library URL`. Adds the jobs when it reads a line.
// Prints `ready`, and how many jobs have ended since it last did.
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresPool } from "#lib/databases";
import { silentLog } from "#lib/log";
import { PgBoss } from "pg-boss";
import { z } from "zod";
import { JobQueue } from "../../plugins/jobs/job-queue.js";
import { PostgresJobs } from "../../plugins/postgres/engines/jobs.js";

const [kind = "", url = ""] = process.argv.slice(2);
const JOBS = 10_000;
/** Endpoints, deliveries to each at a time, and pages. */
const GROUPS = 4;
const CONCURRENCY = 8;
const KEYS = 500;
const PAUSE_MS = 20;
/** As in plugins/postgres/engines/boss.ts: without it the library takes seconds for a fetch. */
const SETTINGS = "-c enable_nestloop=off";

const payload = {
  endpointUrl: "https://example.com/hook",
  event: "page.update",
  text: "x".repeat(300),
};
const jobs = Array.from({ length: JOBS }, (_, at) => ({
  payload,
  key: `page ${at % KEYS}`,
  group: `${at % GROUPS}`,
}));

let ended = 0;
setInterval(() => {
  if (ended > 0) process.stdout.write(`${ended}\n`);
  ended = 0;
}, PAUSE_MS);

const add = kind === "site" ? await startSite() : await startLibrary();
process.stdin.once("data", () => void add());
process.stdout.write("ready\n");

async function startSite(): Promise<() => Promise<unknown>> {
  const clock = { now: () => Date.now() };
  const engine = new PostgresJobs({ url, clock, log: silentLog });
  await engine.start();
  const queue = new JobQueue({ engine: () => engine, clock, log: silentLog });
  queue.define("webhook", {
    payload: z.record(z.string(), z.unknown()),
    concurrency: CONCURRENCY,
    delaysMs: [1_000],
    run: async () => void (ended += 1),
  });
  await queue.open();
  return () => queue.addAll("webhook", jobs);
}

/** The calls of the library that a job needs, in a loop. */
async function startLibrary(): Promise<() => Promise<unknown>> {
  const pool = await createPostgresPool({
    url,
    connections: 4,
    statementMs: 30_000,
    settings: SETTINGS,
  });
  const db = { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
  const boss = new PgBoss({ db, schema: "site_jobs", schedule: false });
  await boss.start();
  await boss.createQueue("webhook", { policy: "key_strict_fifo", retryLimit: 3 });
  void work(boss);
  const rows = jobs.map((job) => ({
    data: job.payload,
    singletonKey: job.key,
    group: { id: job.group },
  }));
  return () => boss.insert("webhook", rows);
}

async function work(boss: PgBoss): Promise<never> {
  const options = { batchSize: GROUPS * CONCURRENCY, groupConcurrency: CONCURRENCY };
  for (;;) {
    const fetched = await boss.fetch("webhook", options);
    if (fetched.length === 0) await delay(PAUSE_MS);
    else await boss.complete("webhook", fetched);
    ended += fetched.length;
  }
}
