import type { JobOptions, JobQueueOptions, JobRecord, JobState, JobStore } from "../contracts.js";

/** A job before its first attempt. `now`: Unix ms. */
export function newJob(
  { id, queue, payload }: Pick<JobRecord, "id" | "queue" | "payload">,
  { key = id, group = "", runAt }: JobOptions,
  now: number,
): JobRecord {
  const begun = { attempts: 0, startedAt: null, lastError: null };
  const times = { createdAt: now, runAt: runAt ?? now };
  return { id, queue, key, group, payload, state: "waiting", ...times, ...begun };
}

/** The waiting job with what the added one brings; null when the queue does not merge or a payload is invalid. */
export function mergeJobs<P>(
  { merge, payload }: JobQueueOptions<P>,
  waiting: JobRecord,
  added: JobRecord,
): JobRecord | null {
  if (merge === undefined) return null;
  const one = payload.safeParse(waiting.payload);
  const other = payload.safeParse(added.payload);
  if (!one.success || !other.success) return null;
  // After a failed attempt the job waits as long as its delay says.
  const runAt = waiting.attempts > 0 ? waiting.runAt : Math.min(waiting.runAt, added.runAt);
  return { ...waiting, payload: merge(one.data, other.data), runAt };
}

/** Stored jobs of some queues, oldest first; all states when `state` is undefined. */
export async function listJobs(
  store: JobStore,
  queues: readonly string[],
  state: JobState | undefined,
): Promise<JobRecord[]> {
  const records: JobRecord[] = [];
  for (const queue of queues) {
    for (const kind of ["live", "dead"] as const) {
      if (state !== undefined && (state === "dead") !== (kind === "dead")) continue;
      for await (const record of store.list(queue, kind)) {
        if (state === undefined || record.state === state) records.push(record);
      }
    }
  }
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}
