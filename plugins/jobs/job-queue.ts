import { monotonicFactory } from "ulid";
import { within } from "#lib/concurrency";
import { messageOf, SiteError } from "#lib/errors";
import { JobError } from "#lib/jobs";
import { schemaMistakes } from "#lib/schema";
import { expectFields, expectKind, formatKey } from "#lib/values";
import { callCheck, type Clock, type Logger } from "#kernel";
import type {
  EngineQueue,
  JobEngine,
  JobOptions,
  JobQueueOptions,
  JobQueueStatus,
  JobRecord,
  Jobs,
  JobState,
} from "./contract.js";

/** Longest time that closing waits for jobs that are due, in ms. */
const FINISH_MS = 10_000;
const QUEUE_NAME = /^[a-z][a-z0-9-]*$/;

/** Dependencies of the queues of a site. */
export interface JobQueueDependencies {
  /** The active engine of slot `jobs`: asked once all plugins are set up. */
  engine(): JobEngine;
  clock: Clock;
  log: Logger;
}

const assertDefine = callCheck(
  "jobs.define",
  {
    queue: expectKind("string"),
    options: expectFields({ delaysMs: ["list"], payload: ["object"], run: ["function"] }),
  },
  'site.use("jobs").define("receipts", { delaysMs: [1000, 5000], payload: z.object({ … }), run: async ({ payload }) => { … } })',
);

/** The jobs of a site: the queues that plugins define, on one engine. */
export class JobQueue implements Jobs {
  readonly #dependencies: JobQueueDependencies;
  readonly #queues = new Map<string, EngineQueue>();
  // Ids of one millisecond sort in the order in which they were made.
  readonly #nextId = monotonicFactory();
  /** The engine that knows the queues. */
  #defined: JobEngine | null = null;
  #isOpen = false;

  constructor(dependencies: JobQueueDependencies) {
    this.#dependencies = dependencies;
  }

  get #engine(): JobEngine {
    const engine = this.#dependencies.engine();
    if (engine !== this.#defined) {
      this.#defined = engine;
      for (const queue of this.#queues.values()) engine.define(queue);
    }
    return engine;
  }

  get isOwner(): boolean {
    return this.#engine.isOwner;
  }

  get isShared(): boolean {
    return this.#engine.isShared;
  }

  define<P>(queue: string, options: JobQueueOptions<P>): void {
    assertDefine(queue, options);
    if (!QUEUE_NAME.test(queue) || this.#queues.has(queue)) {
      const message = `the job queue ${JSON.stringify(queue)} is defined twice or has an invalid name`;
      throw new SiteError("ERR_JOBS_DUPLICATE", message, {
        fix: "give each queue its own name of lower-case letters, digits and hyphens",
      });
    }
    const defined = engineQueue(queue, options, this.#dependencies.log);
    this.#queues.set(queue, defined);
    this.#defined?.define(defined);
  }

  async add<P>(queue: string, payload: P, options: JobOptions = {}): Promise<string> {
    const [id = ""] = await this.addAll(queue, [{ payload, ...options }]);
    return id;
  }

  async addAll<P>(
    queue: string,
    jobs: readonly (JobOptions & { payload: P })[],
  ): Promise<string[]> {
    this.#assertDefined(queue);
    await this.open();
    const now = this.#dependencies.clock.now();
    const records = jobs.map(({ key, group = "", payload, runAt = now }): JobRecord => {
      const id = this.#nextId(now);
      return {
        id,
        queue,
        key: key ?? id,
        group,
        payload,
        state: "waiting",
        attempts: 0,
        createdAt: now,
        runAt,
        startedAt: null,
        lastError: null,
      };
    });
    return this.#engine.add(queue, records);
  }

  list(filter: { queue?: string; state?: JobState } = {}): Promise<readonly JobRecord[]> {
    return this.#engine.list(filter);
  }

  retry(id: string): Promise<JobRecord> {
    return this.#engine.retry(id);
  }

  outcome(id: string): Promise<JobRecord | null> {
    return this.#engine.outcome(id);
  }

  async idle(queue: string): Promise<void> {
    this.#assertDefined(queue);
    await this.#engine.idle(queue);
  }

  async flush(queue: string): Promise<void> {
    this.#assertDefined(queue);
    await this.#engine.flush(queue);
  }

  status(): Readonly<Record<string, JobQueueStatus>> {
    return this.#engine.status();
  }

  overdue(before: number): readonly string[] {
    return this.#engine.overdue(before);
  }

  claim(): Promise<boolean> {
    return this.#engine.claim();
  }

  /** Runs jobs from now on: those of the site root while this process owns them, or shared ones. */
  async open(): Promise<void> {
    if (this.#queues.size === 0) return;
    this.#isOpen = true;
    await this.#engine.open();
  }

  /** Before closing: waits for due jobs of the queues that ask for it, up to 10 s. */
  async finish(): Promise<void> {
    if (!this.#isOpen) return;
    const names = [...this.#queues.values()].flatMap(({ name, finishesOnClose }) =>
      finishesOnClose ? [name] : [],
    );
    const idle = Promise.all(names.map((name) => this.#engine.idle(name)));
    await within(FINISH_MS, idle, () => undefined).catch(() => undefined);
  }

  /** Resolves when the attempts under way have ended, or after 10 s; other jobs wait for the next start. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  #assertDefined(queue: string): void {
    if (this.#queues.has(queue)) return;
    throw new SiteError("ERR_JOBS_UNKNOWN", `no job queue is named ${JSON.stringify(queue)}`, {
      fix: 'define it in setup with site.use("jobs").define',
    });
  }
}

/** The parts of a queue that do not depend on its engine. */
function engineQueue<P>(name: string, options: JobQueueOptions<P>, log: Logger): EngineQueue {
  const { delaysMs, repeatsLastDelay = false, payload: schema, merge, onDead } = options;
  const delayOf = (attempts: number): number | null =>
    delaysMs[attempts - 1] ?? (repeatsLastDelay ? (delaysMs.at(-1) ?? 0) : null);
  return {
    name,
    concurrency: options.concurrency ?? 1,
    maxWaiting: options.maxWaiting ?? Infinity,
    runsUnstored: options.runsUnstored ?? false,
    keepsDead: options.keepsDead ?? true,
    finishesOnClose: options.finishesOnClose ?? false,
    merges: merge !== undefined,
    async run({ id, key, payload: stored, attempts, createdAt }, previousAt, signal) {
      const payload = schema.safeParse(stored);
      if (!payload.success) {
        const [mistake] = schemaMistakes(schema, stored, payload.error);
        const place = formatKey(mistake?.path ?? []);
        const why = `${place === "" ? "" : `${place}: `}${mistake?.message ?? "another value"}`;
        throw new JobError(`its stored payload is invalid: ${why}`, { permanent: true });
      }
      await options.run({
        id,
        key,
        payload: payload.data,
        attempt: attempts,
        isLast: delayOf(attempts) === null,
        previousAt,
        createdAt,
        signal,
      });
    },
    delayAfter(attempts, error) {
      const delayMs = delayOf(attempts);
      if (!(error instanceof JobError)) return delayMs;
      return error.permanent || delayMs === null ? null : Math.max(delayMs, error.retryAfterMs);
    },
    async died(job, error) {
      const { id, attempts: attempt, lastError } = job;
      const fields = { queue: name, id, attempt, error: lastError };
      if (onDead === undefined) log.warn("jobs.dead", fields);
      else log.debug("jobs.dead", fields);
      try {
        await onDead?.(job, error);
      } catch (cause) {
        log.error("jobs.handler_failed", { queue: name, id, error: messageOf(cause) });
      }
    },
    merge(waiting, added) {
      if (merge === undefined) return null;
      const one = schema.safeParse(waiting.payload);
      const other = schema.safeParse(added.payload);
      if (!one.success || !other.success) return null;
      // After a failed attempt the job waits as long as its delay says.
      const runAt = waiting.attempts > 0 ? waiting.runAt : Math.min(waiting.runAt, added.runAt);
      return { ...waiting, payload: merge(one.data, other.data), runAt };
    },
  };
}
