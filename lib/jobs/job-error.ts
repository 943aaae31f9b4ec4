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
