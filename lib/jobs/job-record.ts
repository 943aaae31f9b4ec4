import { z } from "zod";
import { HttpError } from "#lib/errors";

/**
 * `waiting`: not started yet, or between two attempts. `running`: an attempt is under way. `dead`: all
 * attempts failed; only `retry` starts it again. A job that succeeds is deleted.
 */
export type JobState = "waiting" | "running" | "dead";

/** A job as it is stored. */
export interface JobRecord {
  /** A ULID: sorts by creation time. */
  readonly id: string;
  readonly queue: string;
  /** Jobs with the same key run one after the other, oldest first. */
  readonly key: string;
  /** Concurrency is limited per group. */
  readonly group: string;
  readonly payload: unknown;
  readonly state: JobState;
  /** Attempts started so far, including a running one. */
  readonly attempts: number;
  /** Unix ms. */
  readonly createdAt: number;
  /** Unix ms: not before then. */
  readonly runAt: number;
  /** Unix ms: when the last attempt began; null before the first. */
  readonly startedAt: number | null;
  /** Message of the last failed attempt; null before the first failure. */
  readonly lastError: string | null;
}

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

/** The 503 of `add` while too many jobs of a queue wait. */
export function queueFull(queue: string): HttpError {
  return new HttpError(503, `the job queue ${JSON.stringify(queue)} is full`, {
    code: "ERR_JOBS_FULL",
    headers: { "Retry-After": "60" },
  });
}

/** The 404 of `retry`. */
export function noDeadJob(id: string): HttpError {
  return new HttpError(404, `no dead job has the id ${JSON.stringify(id)}`, {
    code: "ERR_JOBS_NOT_FOUND",
    fix: "list the dead jobs and take an id of theirs",
  });
}

/**
 * Fails an attempt of a job and says what happens next. `permanent`: no further attempt, the job is dead.
 * `retryAfterMs`: the next attempt starts no sooner than that, as a provider asked with `Retry-After`.
 */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly permanent: boolean;
  readonly retryAfterMs: number;

  constructor(
    message: string,
    options: { permanent?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.permanent = options.permanent ?? false;
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
