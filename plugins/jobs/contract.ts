/** The job queue: durable background work that survives a crash of the process. */
import type { ZodType } from "zod";
import type { JobRecord, JobState, JobStoreEvents } from "#lib/jobs";

export type { JobError, JobRecord, JobState, JobStoreEvents } from "#lib/jobs";

/** Section `jobs` of system.yaml. */
export interface JobsSection {
  /** `postgres` and `redis` are plugins. */
  engine: "files" | "postgres" | "redis";
}

/** A job that runs: the argument of `run` of its queue. */
export interface Job<P> {
  readonly id: string;
  readonly key: string;
  readonly payload: P;
  /** From 1. */
  readonly attempt: number;
  /** True for the last attempt: when it fails, the job is dead. */
  readonly isLast: boolean;
  /** Unix ms: when the attempt before this one began; null for the first. */
  readonly previousAt: number | null;
  /** Unix ms. */
  readonly createdAt: number;
  /** Aborted when the site closes. The attempt should then end soon; the job stays in the store. */
  readonly signal: AbortSignal;
}
/** The handlers, retries and limits of a queue. */
export interface JobQueueOptions<P> {
  /** Jobs that run at the same time, per group. Default 1. */
  concurrency?: number;
  /** Milliseconds from the end of a failed attempt to the next; one attempt more than entries. */
  delaysMs: readonly number[];
  /** True: the last delay repeats until the job succeeds. Default false. */
  repeatsLastDelay?: boolean;
  /** Checks the payload of stored jobs: a job that does not match is dead. */
  payload: ZodType<P>;
  /**
   * Coalesces jobs of one key: all that wait are one job. A job that is added while another one waits is
   * merged into its payload and time; `add` then resolves with the id of the waiting job.
   */
  merge?(waiting: P, added: P): P;
  /** Jobs in the store that are not dead. Default: no limit. */
  maxWaiting?: number;
  /**
   * True: a job that cannot be stored (full disk) is logged and runs from memory. Default false: `add`
   * fails.
   */
  runsUnstored?: boolean;
  /** False: a job whose last attempt failed is deleted after `onDead`. Default true: it stays for `retry`. */
  keepsDead?: boolean;
  /** True: closing the site waits up to 10 s for jobs that are due. Default: only for running ones. */
  finishesOnClose?: boolean;
  /** One attempt. Throw to fail it; throw a `JobError` to end the job or to choose the next delay. */
  run(job: Job<P>): Promise<void>;
  /** Called after the last attempt failed, again when the process died meanwhile. */
  onDead?(job: JobRecord, error: unknown): void | Promise<void>;
}
/** Options of `add`. */
export interface JobOptions {
  /** Default: the job's id, so that it waits for no other job. */
  key?: string;
  /** Default: one group for the queue. */
  group?: string;
  /** Unix ms. Default: now. */
  runAt?: number;
}
/** Counts of a queue in the process that runs its jobs. */
export interface JobQueueStatus {
  /** Waiting for their turn, their time or another attempt. */
  waiting: number;
  running: number;
  dead: number;
}
/**
 * The one queue of durable background work. One process of a root runs them; each may add
 * them.
 *
 * @example
 * import { z } from "zod"; // and `requires: ["jobs"]` in the plugin
 * const jobs = site.use("jobs");
 * jobs.define("ping", {
 *   payload: z.string(),
 *   delaysMs: [1_000, 60_000],
 *   run: async ({ payload }) => void (await site.use("outbound").request(payload)),
 * });
 * await jobs.add("ping", "https://example.com/");
 */
export interface Jobs {
  /** Declares a queue, in `setup`. @throws ERR_JOBS_DUPLICATE. */
  define<P>(queue: string, options: JobQueueOptions<P>): void;
  /**
   * Stores a job and resolves with its id; the job runs even when the process dies now.
   * @throws ERR_JOBS_UNKNOWN, ERR_JOBS_FULL (503), and errors of the disk.
   */
  add<P>(queue: string, payload: P, options?: JobOptions): Promise<string>;
  /**
   * Stores many jobs in one write, all or none. @throws as `add`.
   */
  addAll<P>(queue: string, jobs: readonly (JobOptions & { payload: P })[]): Promise<string[]>;
  /** Stored jobs, oldest first; all queues when `queue` is absent. */
  list(filter?: { queue?: string; state?: JobState }): Promise<readonly JobRecord[]>;
  /** Starts a dead job again. @throws ERR_JOBS_NOT_FOUND (404). */
  retry(id: string): Promise<JobRecord>;
  /**
   * Resolves when the job has succeeded (null) or is dead, also when another process runs it; when the
   * site closes, with the stored record.
   */
  outcome(id: string): Promise<JobRecord | null>;
  /** Resolves when no job of the queue runs or waits for its turn; jobs between two attempts do not count. */
  idle(queue: string): Promise<void>;
  /** Starts the waiting jobs of a queue now, also those between two attempts; resolves as `idle`. */
  flush(queue: string): Promise<void>;
  /** Counts per queue. */
  status(): Readonly<Record<string, JobQueueStatus>>;
  /**
   * Names of the queues with a job that should have started here before `before` (Unix ms).
   */
  overdue(before: number): readonly string[];
  /** True while this process runs the jobs of the site root. */
  readonly isOwner: boolean;
  /** True when servers with roots of their own share the jobs. */
  readonly isShared: boolean;
  /** Competes for the jobs now, without starting any; resolves with `isOwner`. */
  claim(): Promise<boolean>;
}
/** Stores jobs and chooses the process that runs them: the engine slot `jobs`. */
export interface JobStore {
  /** Writes a record; resolves when it is durable. */
  write(record: JobRecord): Promise<void>;
  /** Writes new jobs of one queue, all or none; resolves when they are durable. */
  writeNew(records: readonly JobRecord[]): Promise<void>;
  remove(record: JobRecord): Promise<void>;
  read(queue: string, id: string): Promise<JobRecord | null>;
  /** Stored records of a queue, oldest first: those that are dead, or all others. */
  list(queue: string, kind: "live" | "dead"): AsyncIterable<JobRecord>;
  count(queue: string, kind: "live" | "dead"): Promise<number>;
  /** Competes for ownership until `close`. */
  open(events: JobStoreEvents): Promise<void>;
  readonly isOwner: boolean;
  /** True when servers with roots of their own share the store. Default false. */
  readonly isShared?: boolean;
  close(): Promise<void>;
}

declare module "#kernel" {
  interface SystemSettings {
    jobs: JobsSection;
  }
  interface Services {
    jobs: Jobs;
  }
  interface Engines {
    /**
     * Built in: `files`.
     *
     * @example
     * import type { JobStore } from "sitewright/plugins";
     * declare const shared: JobStore; // a store on another server
     * site.engines.activate("jobs", shared);
     */
    jobs: JobStore;
  }
}
