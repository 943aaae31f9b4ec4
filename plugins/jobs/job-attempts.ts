import { messageOf } from "#lib/errors";
import { formatKey } from "#lib/values";
import { schemaMistakes } from "#lib/schema";
import { JobError } from "#lib/jobs";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import type { Job, JobQueueOptions, JobRecord, JobStore } from "./contract.js";

/** A queue, and the dependencies of its attempts. */
export interface AttemptOptions<P> {
  /** Name of the queue. */
  queue: string;
  options: JobQueueOptions<P>;
  /** The store of its jobs. */
  store(): JobStore;
  clock: Clock;
  log: Logger;
  /** Aborted when the site closes. */
  signal: AbortSignal;
  /** Called when a job has succeeded (null) or is dead. */
  ended(id: string, record: JobRecord | null): void;
}

/** Makes attempts of one queue's jobs, and stores what becomes of them. */
export class JobAttempts<P> {
  readonly #setup: AttemptOptions<P>;
  #absorbed: Promise<void> = Promise.resolve();

  constructor(setup: AttemptOptions<P>) {
    this.#setup = setup;
  }

  /** A stored job, ready to wait or run; null when it is dead by now. */
  async recover(record: JobRecord): Promise<JobRecord | null> {
    if (record.state !== "running") return record;
    // The crash hides how far the attempt came: it counts as a failed one.
    const error = new Error("the process ended during the attempt");
    return this.#failed(record, error, record.startedAt ?? record.createdAt);
  }

  /** One attempt: the job as it waits for the next one, or null when it has ended. Never rejects. */
  async run(job: JobRecord): Promise<JobRecord | null> {
    const { clock } = this.#setup;
    const attempts = job.attempts + 1;
    const started: JobRecord = { ...job, state: "running", attempts, startedAt: clock.now() };
    // Written first, so that an attempt which ends the process counts as one.
    await this.#write(started);
    try {
      await this.#call(started, job.startedAt);
    } catch (error) {
      return this.#failed(started, error, clock.now());
    }
    await this.#remove(started);
    this.#setup.ended(job.id, null);
    return null;
  }

  /** Stores a job that another one was merged into, then deletes that one. */
  absorb(merged: JobRecord, other: JobRecord): void {
    const before = this.#absorbed;
    this.#absorbed = before.then(async () => {
      await this.#write(merged);
      await this.#remove(other);
      this.#setup.ended(other.id, null);
    });
  }

  /** Resolves when every merged job is stored. */
  settled(): Promise<void> {
    return this.#absorbed;
  }

  #call(record: JobRecord, previousAt: number | null): Promise<void> {
    const { options, signal } = this.#setup;
    const payload = options.payload.safeParse(record.payload);
    if (!payload.success) {
      const [mistake] = schemaMistakes(options.payload, record.payload, payload.error);
      const key = formatKey(mistake?.path ?? []);
      const why = `${key === "" ? "" : `${key}: `}${mistake?.message ?? "another value"}`;
      throw new JobError(`its stored payload is invalid: ${why}`, { permanent: true });
    }
    const job: Job<P> = {
      id: record.id,
      key: record.key,
      payload: payload.data,
      attempt: record.attempts,
      isLast: this.#delayAfter(record.attempts) === null,
      previousAt,
      createdAt: record.createdAt,
      signal,
    };
    return options.run(job);
  }

  /** `at`: Unix ms, when the attempt ended. */
  async #failed(record: JobRecord, error: unknown, at: number): Promise<JobRecord | null> {
    const next = this.#afterFailure(record, error, at);
    const { queue, log, options } = this.#setup;
    const isDiscarded = next.state === "dead" && options.keepsDead === false;
    if (!isDiscarded) await this.#write(next);
    const fields = { queue, id: next.id, attempt: next.attempts, error: next.lastError };
    if (next.state === "waiting") {
      log.debug("jobs.attempt_failed", fields);
      return next;
    }
    if (options.onDead === undefined) log.warn("jobs.dead", fields);
    else log.debug("jobs.dead", fields);
    await this.#died(next, error);
    if (isDiscarded) await this.#remove(next);
    this.#setup.ended(next.id, next);
    return null;
  }

  async #died(record: JobRecord, error: unknown): Promise<void> {
    try {
      await this.#setup.options.onDead?.(record, error);
    } catch (cause) {
      const { queue, log } = this.#setup;
      log.error("jobs.handler_failed", { queue, id: record.id, error: messageOf(cause) });
    }
  }

  #afterFailure(record: JobRecord, error: unknown, at: number): JobRecord {
    const isPermanent = error instanceof JobError && error.permanent;
    const delayMs = isPermanent ? null : this.#delayAfter(record.attempts);
    const askedMs = error instanceof JobError ? error.retryAfterMs : 0;
    return {
      ...record,
      state: delayMs === null ? "dead" : "waiting",
      runAt: at + Math.max(delayMs ?? 0, askedMs),
      lastError: messageOf(error),
    };
  }

  /** The wait after a failed attempt, in ms; null when it was the last one. */
  #delayAfter(attempts: number): number | null {
    const { delaysMs, repeatsLastDelay = false } = this.#setup.options;
    return delaysMs[attempts - 1] ?? (repeatsLastDelay ? (delaysMs.at(-1) ?? 0) : null);
  }

  /** A full disk costs the record of the attempt, not the attempt. */
  async #write(record: JobRecord): Promise<void> {
    await this.#guarded(record, () => this.#setup.store().write(record));
  }

  async #remove(record: JobRecord): Promise<void> {
    await this.#guarded(record, () => this.#setup.store().remove(record));
  }

  async #guarded({ id, queue }: JobRecord, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#setup.log.error("jobs.record_failed", { queue, id, ...engineFailureFields(error) });
    }
  }
}
