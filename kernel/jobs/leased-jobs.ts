import { KeyedLock } from "#lib/concurrency";
import type { JobStoreEvents } from "../contracts.js";
import { JobLease, type LeaseStore } from "./job-lease.js";

/** What stores of the jobs of all nodes share: the lease of the node that runs them. */
export abstract class LeasedJobs {
  readonly isShared = true;
  readonly #lease: JobLease;
  /** Writes of one job follow each other. */
  protected readonly lock = new KeyedLock();

  constructor(store: LeaseStore) {
    this.#lease = new JobLease(store);
  }

  get isOwner(): boolean {
    return this.#lease.isOwner;
  }

  /** Names this node in the lease. */
  protected get leaseId(): string {
    return this.#lease.id;
  }

  open(events: JobStoreEvents): Promise<void> {
    return this.#lease.start(events);
  }

  close(): Promise<void> {
    return this.#lease.close();
  }
}
