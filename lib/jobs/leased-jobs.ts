import { randomUUID } from "node:crypto";
import { KeyedLock } from "#lib/concurrency";

/** Validity of a lease after its last renewal, in ms. */
const LEASE_MS = 3_000;
/** Interval of renewals, and of attempts of other nodes, in ms. */
const BEAT_MS = 500;
/** A lease counts as lost this long before another node can take it, in ms. */
const MARGIN_MS = 300;

/** Events that a store reports to the process that opened it. */
export interface JobStoreEvents {
  /** Each time this process becomes the owner. */
  owned(): void;
  /** Another process is the owner, or may soon be: jobs that wait here are no longer run. */
  lost(): void;
  /** Another process may have stored jobs. */
  added(): void;
}

/** The result of a renewal, or of an attempt to take the lease. */
export interface LeaseBeat {
  isOwner: boolean;
  /** True when another process than the owner has stored jobs. */
  hasNew: boolean;
}

/** Stores a lease, which expires by the clock of the store. */
export interface LeaseStore {
  /** Takes the lease if it is free or held by `id`, for `ms` from now. */
  beat(id: string, ms: number): Promise<LeaseBeat>;
  /** Ends the lease if `id` holds it. */
  release(id: string): Promise<void>;
}

/** Base of stores that all nodes share: the node that holds the lease runs the jobs. */
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

/** Competes for the lease that makes one node the owner of the jobs. */
class JobLease {
  /** Differs between two runs of one node: a lease does not outlive its process. */
  readonly id = randomUUID();
  readonly #store: LeaseStore;
  #events: JobStoreEvents | null = null;
  #validUntil = 0;
  #wasOwner = false;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(store: LeaseStore) {
    this.#store = store;
  }

  /** By the monotonic clock: a process that was suspended is no owner when it continues. */
  get isOwner(): boolean {
    return performance.now() < this.#validUntil;
  }

  /** Resolves after the first attempt; later ones follow in the background. */
  async start(events: JobStoreEvents): Promise<void> {
    this.#events = events;
    await this.#turn();
  }

  /** Ends the lease, so that another node need not wait for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#beating;
    if (this.#validUntil === 0) return;
    this.#validUntil = 0;
    // Without the store the lease expires.
    await this.#store.release(this.id).catch(() => undefined);
  }

  async #turn(): Promise<void> {
    this.#beating = this.#beat();
    await this.#beating;
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#turn(), BEAT_MS).unref();
  }

  async #beat(): Promise<void> {
    const sentAt = performance.now();
    try {
      const beat = await this.#store.beat(this.id, LEASE_MS);
      if (!this.#isClosed) this.#take(beat, sentAt);
    } catch {
      // The store reports its outage; the lease expires by itself.
    }
    if (this.#wasOwner && !this.isOwner) {
      this.#wasOwner = false;
      this.#events?.lost();
    }
  }

  #take({ isOwner, hasNew }: LeaseBeat, sentAt: number): void {
    if (this.#wasOwner && !this.isOwner) {
      // It expired before this renewal: another node may have had it meanwhile.
      this.#wasOwner = false;
      this.#events?.lost();
    }
    if (!isOwner) {
      this.#validUntil = 0;
      return;
    }
    this.#validUntil = sentAt + LEASE_MS - MARGIN_MS;
    const isFirst = !this.#wasOwner;
    this.#wasOwner = true;
    if (isFirst) this.#events?.owned();
    else if (hasNew) this.#events?.added();
  }
}
