import type { SiteContext } from "#kernel";

/** A job that is due for longer has not been started, in ms. */
const LATE_MS = 60_000;

/** Health check of background jobs; null: all that are due have started. */
export function schedulerProblem({
  jobs,
  runtime,
}: Pick<SiteContext, "jobs" | "runtime">): string | null {
  const queues = jobs.overdue(runtime.clock.now() - LATE_MS);
  if (queues.length === 0) return null;
  return `the scheduler has not ticked: jobs are due for more than a minute (${queues.join(", ")})`;
}
