// Job queues of several processes on one store, for the suites of every store.
import assert from "node:assert/strict";
import { z } from "zod";
import type { JobQueueOptions, JobRecord } from "../../../plugins/jobs/contract.js";
import { StoredJobs } from "../../../plugins/jobs/engines/stored-jobs.js";
import { JobQueue } from "../../../plugins/jobs/job-queue.js";
import type { JobStore } from "../../../plugins/jobs/job-store.js";
import { silentLog } from "#lib/log";
import { testClock, type TestClock } from "#testing";

type Options = Partial<JobQueueOptions<string>> & Pick<JobQueueOptions<string>, "run">;
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Queues named `work`. */
export class JobQueues {
  readonly clock: TestClock = testClock();
  readonly #open: () => JobStore;
  readonly #ends: (() => Promise<void>)[] = [];

  /** `open`: a store as another process has it, with the jobs of the test. */
  constructor(open: () => JobStore) {
    this.#open = open;
    afterEach(async () => {
      for (const end of this.#ends.splice(0)) await end();
    });
  }

  /** A queue of a process of its own. */
  start(options: Options) {
    const closing = new AbortController();
    const store = this.#open();
    const { signal } = closing;
    const dependencies = { clock: this.clock, log: silentLog };
    const engine = new StoredJobs({ store, signal, ...dependencies });
    const jobs = new JobQueue({ engine: () => engine, ...dependencies });
    jobs.define<string>("work", { payload: z.string(), delaysMs: [], ...options });
    const close = async (): Promise<void> => {
      closing.abort();
      await jobs.close();
    };
    this.#ends.push(close);
    return { jobs, close };
  }

  /** Ids of stored jobs. */
  async ids(kind: "live" | "dead" = "live"): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of this.#open().list("work", kind)) ids.push(id);
    return ids;
  }

  /** Another process is the owner. */
  async ownElsewhere(): Promise<{ release(): Promise<void> }> {
    const store = this.#open();
    const noted = (): void => undefined;
    await store.open({ owned: noted, lost: noted, added: noted });
    assert.equal(store.isOwner, true);
    const release = (): Promise<void> => store.close();
    this.#ends.push(release);
    return { release };
  }

  /** A job whose owner was killed during an attempt. */
  async crashedDuring(attempts: number, payload: unknown = "a"): Promise<JobRecord> {
    const now = this.clock.now();
    const record: JobRecord = {
      id: ID,
      queue: "work",
      key: ID,
      group: "",
      payload,
      state: "running",
      attempts,
      createdAt: now,
      runAt: now,
      startedAt: null,
      lastError: null,
    };
    const store = this.#open();
    const noted = (): void => undefined;
    await store.open({ owned: noted, lost: noted, added: noted });
    await store.write(record);
    await store.close();
    return record;
  }
}
