import { messageOf } from "#lib/errors";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import type { EngineQueue, JobRecord } from "./contract.js";
import type { JobStore } from "./job-store.js";

/** A queue, and the dependencies of its attempts. */
export interface AttemptOptions {
  queue: EngineQueue;
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
export class JobAttempts {
  readonly #setup: AttemptOptions;
  #absorbed: Promise<void> = Promise.resolve();

  constructor(setup: AttemptOptions) {
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
      await this.#setup.queue.run(started, job.startedAt, this.#setup.signal);
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

  /** `at`: Unix ms, when the attempt ended. */
  async #failed(record: JobRecord, error: unknown, at: number): Promise<JobRecord | null> {
    const { queue, log } = this.#setup;
    const delayMs = queue.delayAfter(record.attempts, error);
    const next: JobRecord = {
      ...record,
      state: delayMs === null ? "dead" : "waiting",
      runAt: at + (delayMs ?? 0),
      lastError: messageOf(error),
    };
    const isDiscarded = next.state === "dead" && !queue.keepsDead;
    if (!isDiscarded) await this.#write(next);
    if (next.state === "waiting") {
      const { id, attempts, lastError } = next;
      log.debug("jobs.attempt_failed", {
        queue: queue.name,
        id,
        attempt: attempts,
        error: lastError,
      });
      return next;
    }
    await queue.died(next, error);
    if (isDiscarded) await this.#remove(next);
    this.#setup.ended(next.id, next);
    return null;
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
