/** Jobs of versions that stored them in a table of their own. */
import { jobSchema } from "#lib/jobs";
import type { JobRecord } from "../../jobs/contract.js";
import { deadQueue, type SharedBoss } from "./boss.js";
import { lockKey, toInsert } from "./job-worker.js";

/** Moves the jobs that an older version stored in a table, in order; then the table goes. Resolves with their number. `delayOf`: an interval from now. */
export function moveOldJobs(
  engine: SharedBoss,
  delayOf: (job: JobRecord) => string,
): Promise<number> {
  return engine.transaction(async (boss, db) => {
    // Of nodes that start at the same time, the others find no table afterwards.
    await lockKey(db, "", "old jobs");
    const { rows: tables } = await db.executeSql("select to_regclass('public.site_jobs') as found");
    if (tables[0]?.found === null) return 0;
    await db.executeSql("lock table site_jobs in access exclusive mode");
    const { rows } = await db.executeSql("select record from site_jobs order by id");
    const jobs = rows.flatMap(({ record }) => jobSchema.safeParse(record).data ?? []);
    for (const queue of new Set(jobs.map((job) => job.queue))) {
      await engine.createQueue(queue);
      for (const isDead of [false, true]) {
        const inserts = jobs
          .filter((job) => job.queue === queue && (job.state === "dead") === isDead)
          .map((job) => toInsert(job, delayOf(job)));
        const target = isDead ? deadQueue(queue) : queue;
        if (inserts.length > 0) await boss.insert(target, inserts, { db });
      }
    }
    await db.executeSql("drop table site_jobs, site_leases");
    return jobs.length;
  });
}
