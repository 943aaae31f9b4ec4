/** The job queue: durable background work that survives a crash of the process. */
import type { ZodType } from "zod";
import type { JobRecord, JobState } from "#lib/jobs";

export type { JobError, JobRecord, JobState } from "#lib/jobs";

/** Section `jobs` of system.yaml. */
export interface JobsSection {
  /** `postgres` is a plugin. */
  engine: "files" | "postgres";
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
  /** Jobs that run at the same time, per group, on all nodes together. Default 1. */
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
   * True: a job that cannot be stored (full disk) is logged and runs from memory, in the engine `files`.
   * Default false: `add` fails.
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
/** Counts of a queue in the owner of the jobs; of shared jobs on all nodes, some seconds old. */
export interface JobQueueStatus {
  /** Waiting for their turn, their time or another attempt. */
  waiting: number;
  running: number;
  dead: number;
}
/**
 * The one queue of durable background work. Each process may add jobs; their owner runs them, or each
 * node.
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
   * site closes, with the stored record. Null too for a dead job that its queue does not keep, unless this process
   * alone runs the jobs.
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
  /** True while this process alone runs the jobs of the site root. */
  readonly isOwner: boolean;
  /** True when all nodes run the jobs. */
  readonly isShared: boolean;
  /** Competes for the jobs now, without starting any; resolves with `isOwner`. */
  claim(): Promise<boolean>;
}
/** A queue as an engine runs it: `options` of `define` with their defaults, and what all engines share. */
export interface EngineQueue {
  readonly name: string;
  readonly concurrency: number;
  /** Infinity: no limit. */
  readonly maxWaiting: number;
  readonly runsUnstored: boolean;
  readonly keepsDead: boolean;
  readonly finishesOnClose: boolean;
  /** True when waiting jobs of one key are one job. */
  readonly merges: boolean;
  /** Makes attempt number `job.attempts`; `previousAt` and `signal` are those of `Job`. @throws what fails the attempt. */
  run(job: JobRecord, previousAt: number | null, signal: AbortSignal): Promise<void>;
  /** What follows a failed attempt: the wait from its end in ms, or null when the job is dead. */
  delayAfter(attempts: number, error: unknown): number | null;
  /** Calls `onDead`. Never rejects. */
  died(job: JobRecord, error: unknown): Promise<void>;
  /** The waiting job with what the added one brings; null when they stay two jobs. */
  merge(waiting: JobRecord, added: JobRecord): JobRecord | null;
}
/** Stores and runs jobs: the engine slot `jobs`. Its other methods mean what they mean in `Jobs`. */
export interface JobEngine extends Omit<Jobs, "define" | "add" | "addAll"> {
  /** Called for every queue, before any other method. */
  define(queue: EngineQueue): void;
  /** Runs jobs from now on; may be called again. */
  open(): Promise<void>;
  /** Stores new jobs, all or none; resolves with their ids when they are durable, or those they are merged into. */
  add(queue: string, jobs: readonly JobRecord[]): Promise<string[]>;
  /** The signal of attempts is aborted: resolves when they have ended, or after 10 s. */
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
     * import type { JobEngine } from "sitewright/plugins";
     * declare const shared: JobEngine; // a queue on another server
     * site.engines.activate("jobs", shared);
     */
    jobs: JobEngine;
  }
}
