/** The check of background jobs for the health report, and the one for `site doctor`. */
import { join } from "node:path";
import type { Diagnostic, Finding } from "#kernel";
import { jsonFilesCheck } from "#lib/diagnostics";
import { parseJob } from "#lib/jobs";
import type { Jobs } from "./contract.js";

/** A job that is due for longer has not been started, in ms. */
const LATE_MS = 60_000;
/** A job that is due for longer means that nothing runs the jobs, in ms. */
const OVERDUE_MS = 5 * 60_000;

/** The problem of jobs of this process that should have started a minute before `now` (Unix ms); null: none. */
export function lateJobs(jobs: Pick<Jobs, "overdue">, now: number): string | null {
  const queues = jobs.overdue(now - LATE_MS);
  if (queues.length === 0) return null;
  return `the scheduler has not ticked: jobs are due for more than a minute (${queues.join(", ")})`;
}

/** Stored jobs can be read. */
export const jobFilesCheck: Diagnostic = jsonFilesCheck(({ paths }) => [
  { path: join(paths.runtime, "jobs"), parse: parseJob },
]);

/** Looks at stored jobs: those of a server that runs start when they are due. */
export const schedulerCheck: Diagnostic = {
  name: "scheduler",
  needsSite: true,
  run: async ({ site }) => {
    const { use, runtime } = await site();
    const records = await use("jobs").list();
    const before = runtime.clock.now() - OVERDUE_MS;
    const overdue = records.filter(({ state, runAt }) => state === "waiting" && runAt < before);
    const dead = records.filter(({ state }) => state === "dead");
    const findings: Finding[] = [];
    if (overdue.length > 0) {
      const queues = [...new Set(overdue.map(({ queue }) => queue))].join(", ");
      const seen = `${overdue.length} jobs are due for more than five minutes (${queues})`;
      findings.push({
        level: "warning",
        seen,
        fix: "start a server, or read the log of the one that runs",
      });
    }
    if (dead.length > 0) {
      const seen = `${dead.length} jobs have failed for good`;
      findings.push({ level: "warning", seen, fix: "retry them in the panel, below Jobs" });
    }
    return findings.length > 0 ? findings : [{ level: "ok", seen: `${records.length} jobs wait` }];
  },
};
