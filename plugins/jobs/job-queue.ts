import { setTimeout as delay } from "node:timers/promises";
import { HttpError, SiteError } from "#lib/errors";
import { expectFields, expectKind } from "#lib/values";
import { within } from "#lib/concurrency";
import { callCheck, type Clock, engineFailureFields, type Logger } from "#kernel";
import type {
  JobOptions,
  JobQueueOptions,
  JobQueueStatus,
  JobRecord,
  Jobs,
  JobState,
  JobStore,
} from "./contract.js";
import { JobAdder, type AddingQueue } from "./job-adder.js";
import { JobRunner } from "./job-runner.js";

const QUEUE_NAME = /^[a-z][a-z0-9-]*$/;
/** Longest time that closing waits for jobs, in ms. */
const CLOSE_MS = 10_000;
/** Interval in which the store is asked whether a job of another process has ended, in ms. */
const POLL_MS = 100;

/** Dependencies of the queues of a site. */
export interface JobQueueDependencies {
  /** The active engine of slot `jobs`: asked once all plugins are set up. */
  store(): JobStore;
  clock: Clock;
  log: Logger;
  /** Aborted when the site closes. */
  signal: AbortSignal;
}
interface Queue extends AddingQueue {
  readonly runner: JobRunner<unknown>;
  readonly finishesOnClose: boolean;
}

const assertDefine = callCheck(
  "jobs.define",
  {
    queue: expectKind("string"),
    options: expectFields({ delaysMs: ["list"], payload: ["object"], run: ["function"] }),
  },
  'site.use("jobs").define("receipts", { delaysMs: [1000, 5000], payload: z.object({ … }), run: async ({ payload }) => { … } })',
);

/** The jobs of a site: the queues that plugins define, on one store. */
export class JobQueue implements Jobs {
  readonly #dependencies: JobQueueDependencies;
  readonly #queues = new Map<string, Queue>();
  readonly #outcomes: JobOutcomes;
  readonly #adder: JobAdder;
  #opening: Promise<void> | null = null;
  /** False while this process has claimed the jobs but leaves those that wait alone. */
  #isRunning = false;

  constructor(dependencies: JobQueueDependencies) {
    this.#dependencies = dependencies;
    this.#adder = new JobAdder({ ...dependencies, isOwner: () => this.isOwner });
    this.#outcomes = new JobOutcomes({
      isHere: (id) => [...this.#queues.values()].some(({ runner }) => runner.has(id)),
      stored: (id) => this.#stored(id),
      signal: dependencies.signal,
    });
  }

  get #store(): JobStore {
    return this.#dependencies.store();
  }

  get isOwner(): boolean {
    return this.#opening !== null && this.#store.isOwner;
  }

  get isShared(): boolean {
    return this.#store.isShared === true;
  }

  define<P>(queue: string, options: JobQueueOptions<P>): void {
    assertDefine(queue, options);
    if (!QUEUE_NAME.test(queue) || this.#queues.has(queue)) {
      const message = `the job queue ${JSON.stringify(queue)} is defined twice or has an invalid name`;
      throw new SiteError("ERR_JOBS_DUPLICATE", message, {
        fix: "give each queue its own name of lower-case letters, digits and hyphens",
      });
    }
    const { store, clock, log, signal } = this.#dependencies;
    const ended = (id: string, record: JobRecord | null): void => this.#outcomes.ended(id, record);
    const runner = new JobRunner<P>({ queue, options, store, clock, log, signal, ended });
    this.#queues.set(queue, {
      name: queue,
      runner,
      maxWaiting: options.maxWaiting ?? Infinity,
      runsUnstored: options.runsUnstored ?? false,
      finishesOnClose: options.finishesOnClose ?? false,
      merges: options.merge !== undefined,
      arriving: 0,
    });
  }

  async add<P>(queue: string, payload: P, options: JobOptions = {}): Promise<string> {
    const [id = ""] = await this.addAll(queue, [{ payload, ...options }]);
    return id;
  }

  async addAll<P>(
    queue: string,
    jobs: readonly (JobOptions & { payload: P })[],
  ): Promise<string[]> {
    const target = this.#require(queue);
    await this.open();
    return this.#adder.add(target, jobs);
  }

  async list(filter: { queue?: string; state?: JobState } = {}): Promise<readonly JobRecord[]> {
    const { queue, state } = filter;
    const names = [...this.#queues.keys()].filter((name) => (queue ?? name) === name);
    const records: JobRecord[] = [];
    for (const name of names) {
      for (const kind of ["live", "dead"] as const) {
        if (state !== undefined && (state === "dead") !== (kind === "dead")) continue;
        for await (const record of this.#store.list(name, kind)) {
          if (state === undefined || record.state === state) records.push(record);
        }
      }
    }
    return records.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async retry(id: string): Promise<JobRecord> {
    for (const [queue, { runner }] of this.#queues) {
      const record = await this.#store.read(queue, id);
      if (record?.state !== "dead") continue;
      const now = this.#dependencies.clock.now();
      const next: JobRecord = { ...record, state: "waiting", attempts: 0, runAt: now };
      await this.#store.write(next);
      if (this.isOwner) runner.revive(next);
      return next;
    }
    throw new HttpError(404, `no dead job has the id ${JSON.stringify(id)}`, {
      code: "ERR_JOBS_NOT_FOUND",
      fix: "list the dead jobs and take an id of theirs",
    });
  }

  outcome(id: string): Promise<JobRecord | null> {
    return this.#outcomes.of(id);
  }

  async idle(queue: string): Promise<void> {
    await this.#require(queue).runner.idle();
  }

  async flush(queue: string): Promise<void> {
    const { runner } = this.#require(queue);
    await runner.hurry();
    await runner.idle();
  }

  status(): Record<string, JobQueueStatus> {
    return Object.fromEntries(
      [...this.#queues].map(([name, { runner }]) => [name, runner.status()]),
    );
  }

  overdue(before: number): string[] {
    if (!this.isOwner) return [];
    return [...this.#queues].flatMap(([name, { runner }]) =>
      runner.isOverdue(before) ? [name] : [],
    );
  }

  async claim(): Promise<boolean> {
    if (this.#dependencies.signal.aborted) return this.isOwner;
    const load = (): void => this.#load();
    const lost = (): void => this.#queues.forEach(({ runner }) => runner.release());
    await (this.#opening ??= this.#store.open({ owned: load, lost, added: load }));
    return this.isOwner;
  }

  /** Competes for the jobs of the site root, and runs them from now on. */
  async open(): Promise<void> {
    if (this.#queues.size === 0) return;
    const wasClaimed = this.isOwner && !this.#isRunning;
    this.#isRunning = true;
    if (wasClaimed) this.#load();
    await this.claim();
  }

  #load(): void {
    if (!this.#isRunning) return;
    for (const { runner } of this.#queues.values()) {
      runner.load().catch((error: unknown) => {
        this.#dependencies.log.error("jobs.load_failed", engineFailureFields(error));
      });
    }
  }

  /** Before closing: waits for due jobs of the queues that ask for it, up to 10 s. */
  async finish(): Promise<void> {
    const queues = [...this.#queues.values()].filter(({ finishesOnClose }) => finishesOnClose);
    const idle = Promise.all(queues.map(({ runner }) => runner.idle()));
    await within(CLOSE_MS, idle, () => undefined);
  }

  /** Resolves when the attempts under way have ended, or after 10 s; other jobs wait for the next start. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const runners = [...this.#queues].map(async ([queue, { runner }]) => {
      await within(CLOSE_MS, runner.close(), () => {
        this.#dependencies.log.warn("jobs.left_running", { queue, count: runner.running });
      });
    });
    await Promise.all(runners);
    await this.#outcomes.close();
    await this.#store.close();
  }

  async #stored(id: string): Promise<JobRecord | null> {
    for (const queue of this.#queues.keys()) {
      const record = await this.#store.read(queue, id);
      if (record !== null) return record;
    }
    return null;
  }

  #require(queue: string): Queue {
    const defined = this.#queues.get(queue);
    if (defined !== undefined) return defined;
    throw new SiteError("ERR_JOBS_UNKNOWN", `no job queue is named ${JSON.stringify(queue)}`, {
      fix: 'define it in setup with site.use("jobs").define',
    });
  }
}

/** Dependencies of waiting for outcomes. */
interface OutcomeDependencies {
  /** True for a job that waits or runs in this process. */
  isHere(id: string): boolean;
  /** The stored job, of any queue. */
  stored(id: string): Promise<JobRecord | null>;
  /** Aborted when the site closes. */
  signal: AbortSignal;
}

/** Callers that wait for the end of a job. */
class JobOutcomes {
  readonly #dependencies: OutcomeDependencies;
  readonly #waiters = new Map<string, ((record: JobRecord | null) => void)[]>();

  constructor(dependencies: OutcomeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves with null for a job that succeeded, else with what is stored when it is dead or the site closes. */
  async of(id: string): Promise<JobRecord | null> {
    const { isHere, stored, signal } = this.#dependencies;
    for (;;) {
      if (isHere(id) && !signal.aborted) {
        return new Promise((resolve) => {
          this.#waiters.set(id, [...(this.#waiters.get(id) ?? []), resolve]);
        });
      }
      const record = await stored(id);
      if (record === null || record.state === "dead" || signal.aborted) return record;
      // Another process runs it, or it waits in the store for room in memory.
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Answers the callers that wait for a job. */
  ended(id: string, record: JobRecord | null): void {
    const waiters = this.#waiters.get(id) ?? [];
    this.#waiters.delete(id);
    for (const resolve of waiters) resolve(record);
  }

  /** The site closes: answers all callers with what is stored. */
  async close(): Promise<void> {
    const ids = [...this.#waiters.keys()];
    for (const id of ids) {
      this.ended(id, await this.#dependencies.stored(id).catch(() => null));
    }
  }
}
