import { KeyedLock } from "#lib/concurrency";
import { queueFull } from "#lib/jobs";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import type { EngineQueue, JobRecord } from "./contract.js";
import type { JobRunner } from "./job-runner.js";
import type { JobStore } from "./job-store.js";

/** Dependencies of adding jobs. */
export interface JobAdderDependencies {
  /** The store of the jobs. */
  store(): JobStore;
  clock: Clock;
  log: Logger;
  /** True while this process runs the jobs. */
  isOwner(): boolean;
}
/** A queue that jobs are added to. */
export interface AddingQueue {
  readonly of: EngineQueue;
  readonly runner: Pick<JobRunner, "accept" | "merge">;
  /** Jobs that are being written to the store. */
  arriving: number;
}
/** Stores new jobs and hands them to the runner of their queue. */
export class JobAdder {
  readonly #dependencies: JobAdderDependencies;
  readonly #adding = new KeyedLock();

  constructor(dependencies: JobAdderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves with the ids, in order, when all jobs are durable. @throws ERR_JOBS_FULL (503), errors of the store. */
  async add(queue: AddingQueue, records: readonly JobRecord[]): Promise<string[]> {
    if (records.length === 0) return [];
    await this.#assertRoom(queue, records.length);
    if (queue.of.merges) return Promise.all(records.map((record) => this.#merge(queue, record)));
    const keys = records.map(({ key }) => `${queue.of.name} ${key}`);
    // Two jobs of one key that are added at the same time keep their order.
    await this.#adding.runAll(keys, () => this.#store(queue, records));
    return records.map(({ id }) => id);
  }

  /** Resolves with the id of the waiting job when the new one became a part of it. */
  async #merge(queue: AddingQueue, record: JobRecord): Promise<string> {
    const taken = await this.#adding.run(`${queue.of.name} ${record.key}`, async () => {
      const merged = this.#dependencies.isOwner() ? queue.runner.merge(record) : null;
      // Not awaited here: later jobs of the key merge meanwhile.
      if (merged !== null) return { id: merged.id, written: this.#write(queue, [merged]) };
      await this.#store(queue, [record]);
      return { id: record.id, written: null };
    });
    await taken.written;
    return taken.id;
  }

  async #store(queue: AddingQueue, records: readonly JobRecord[]): Promise<void> {
    const isStored = await this.#write(queue, records);
    if (!this.#dependencies.isOwner()) return;
    for (const record of records) queue.runner.accept(record, { isStored });
  }

  /** False when the store failed and the jobs run from memory, which only their owner can promise. */
  async #write(queue: AddingQueue, records: readonly JobRecord[]): Promise<boolean> {
    const store = this.#dependencies.store();
    const [first] = records;
    queue.arriving += records.length;
    try {
      if (first !== undefined && records.length === 1) await store.write(first);
      else await store.writeNew(records);
      return true;
    } catch (error) {
      if (!queue.of.runsUnstored || !this.#dependencies.isOwner()) throw error;
      const fields = { queue: queue.of.name, id: first?.id, jobs: records.length };
      this.#dependencies.log.warn("jobs.record_failed", {
        ...fields,
        ...engineFailureFields(error),
      });
      return false;
    } finally {
      queue.arriving -= records.length;
    }
  }

  async #assertRoom({ of: { name, maxWaiting }, arriving }: AddingQueue, added: number) {
    if (maxWaiting === Infinity) return;
    const stored = await this.#dependencies.store().count(name, "live");
    if (stored + arriving + added <= maxWaiting) return;
    throw queueFull(name);
  }
}
