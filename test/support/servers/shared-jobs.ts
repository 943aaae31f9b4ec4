// Nodes that share their jobs in PostgreSQL, without a site.
import { z } from "zod";
import { silentLog } from "#lib/log";
import type { JobQueueOptions } from "../../../plugins/jobs/contract.js";
import { JobQueue } from "../../../plugins/jobs/job-queue.js";
import { PostgresJobs } from "../../../plugins/postgres/engines/jobs.js";

/** Skips tests of shared jobs where the driver of jobs does not run: CI runs them on newer lines of Node.js. */
export function needsNode22(context: Mocha.Context): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return;
  const test = context.test;
  if (test !== undefined) test.title += " (pg-boss needs Node 22.12; npm run test:node-versions)";
  context.skip();
}

/** The engine of a node. */
export async function sharedJobs(url: string, clock = { now: () => Date.now() }) {
  const engine = new PostgresJobs({ url, clock, log: silentLog });
  await engine.start();
  return engine;
}

/** Options of the queue `work`. */
export type WorkOptions = Partial<JobQueueOptions<string>> & Pick<JobQueueOptions<string>, "run">;

/** A node with the queue `work`, which runs jobs. */
export async function startSharedNode(
  url: string,
  options: WorkOptions,
  clock = { now: () => Date.now() },
) {
  const engine = await sharedJobs(url, clock);
  const jobs = new JobQueue({ engine: () => engine, clock, log: silentLog });
  jobs.define<string>("work", { payload: z.string(), delaysMs: [], ...options });
  await jobs.open();
  return jobs;
}
