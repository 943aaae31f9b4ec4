import { z } from "zod";
import type { JobOptions, JobQueueOptions, JobRecord, JobState, JobStore } from "../contracts.js";

/** Form of a job's id: a ULID. */
export const JOB_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A stored job. Older versions stored no `startedAt`. */
export const jobSchema: z.ZodType<JobRecord> = z.object({
  id: z.string(),
  queue: z.string(),
  key: z.string(),
  group: z.string(),
  payload: z.unknown(),
  state: z.enum(["waiting", "running", "dead"]),
  attempts: z.int().min(0),
  createdAt: z.number(),
  runAt: z.number(),
  startedAt: z.number().nullable().default(null),
  lastError: z.string().nullable(),
});

/** A job from its JSON; null for a torn or foreign text. */
export function parseJob(text: string): JobRecord | null {
  try {
    return jobSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

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
