/** Jobs as pg-boss stores them. */
import type { JobInsert, JobWithMetadata } from "pg-boss";
import { ulidToUUID, uuidToULID } from "ulid";
import { z } from "zod";
import type { JobRecord } from "../../jobs/contract.js";

/** Most jobs that one look reads. */
export const MAX_READ = 100_000;

/** What pg-boss stores of a job. `payload` is text, because `jsonb` has no NUL. */
const storedJob = z.object({
  payload: z.string(),
  createdAt: z.number(),
  /** Attempts that pg-boss has not counted: of dead jobs, and of those of an older version. */
  attempts: z.number().default(0),
  startedAt: z.number().nullable().default(null),
  lastError: z.string().nullable().default(null),
});
type StoredJob = z.infer<typeof storedJob>;
/** A row that is not ours has no payload, so its queue rejects it. */
const NOTHING = { payload: "", attempts: 0, startedAt: null, lastError: null };
/** pg-boss has no group without a name. */
const GROUP = "group ";

/** What a failed attempt leaves: from here, or from pg-boss itself. */
const failure = z.object({
  message: z.string().exactOptional(),
  startedAt: z.number().exactOptional(),
  value: z.object({ message: z.string() }).exactOptional(),
});

/** A job as pg-boss returns it. */
export type JobRow = JobWithMetadata<unknown>;

/** A stored job as pg-boss gets it. `delay`: an interval from now. */
export function toInsert(job: JobRecord, delay: string): JobInsert {
  const { id, key, group, payload, createdAt, attempts, startedAt, lastError } = job;
  return {
    id: ulidToUUID(id),
    singletonKey: key || id,
    group: { id: `${GROUP}${group}` },
    startAfter: delay,
    data: { payload: JSON.stringify(payload), createdAt, attempts, startedAt, lastError },
  };
}

/** A job of a queue, or of its dead ones. */
export function toRecord(queue: string, row: JobRow, isDead = false): JobRecord {
  const stored = storedJob.safeParse(row.data).data ?? {
    ...NOTHING,
    createdAt: Number(row.createdOn),
  };
  const hasStarted = Number(row.startedOn ?? 0) > 0;
  const waits = row.state === "active" ? "running" : "waiting";
  return {
    id: uuidToULID(row.id),
    queue,
    key: row.singletonKey ?? "",
    group: (row.groupId ?? "").slice(GROUP.length),
    payload: parseText(stored.payload),
    state: isDead ? "dead" : waits,
    attempts: stored.attempts + (hasStarted ? row.retryCount + 1 : 0),
    createdAt: stored.createdAt,
    runAt: Number(row.startAfter),
    startedAt: hasStarted ? Number(row.startedOn) : stored.startedAt,
    lastError: failureOf(row).message ?? stored.lastError,
  };
}

/** What the last failed attempt left. */
function failureOf({ output }: JobRow): { message?: string; startedAt?: number } {
  const { value, ...failed } = failure.safeParse(output ?? {}).data ?? {};
  return { ...value, ...failed };
}

/** When the attempt before the one under way began, in Unix ms; null when that is unknown. */
export function previousStart(row: JobRow): number | null {
  return failureOf(row).startedAt ?? storedJob.safeParse(row.data).data?.startedAt ?? null;
}

/** What pg-boss stores of a row with another payload. */
export function withPayload({ data }: JobRow, payload: unknown): StoredJob {
  return { ...storedJob.parse(data), payload: JSON.stringify(payload) };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An interval from now as PostgreSQL reads it. */
export function interval(ms: number): string {
  return `${Math.max(0, Math.round(ms))} milliseconds`;
}
