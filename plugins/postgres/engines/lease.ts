import { randomUUID } from "node:crypto";
import type { SharedDatabase } from "#kernel/internal";

/** How long a lease is valid after its last renewal, in ms. */
const LEASE_MS = 3_000;
/** Interval of renewals, and of attempts of other nodes, in ms. */
const BEAT_MS = 500;
/** A lease counts as lost this long before another node can take it, in ms. */
const MARGIN_MS = 300;

const BEAT = `
with beat as (
  insert into site_leases (name, owner, until)
  values ('jobs', $1, clock_timestamp() + $2 * interval '1 ms')
  on conflict (name) do update set owner = excluded.owner, until = excluded.until
  where site_leases.owner = excluded.owner or site_leases.until < clock_timestamp()
  returning owner
), fresh as (
  update site_jobs set is_new = false where is_new and exists (select from beat)
  returning id
)
select exists (select from beat) as "isOwner", exists (select from fresh) as "hasNew"`;

interface Beat {
  isOwner: boolean;
  hasNew: boolean;
}

/** What a lease reports. */
export interface LeaseEvents {
  owned(): void;
  lost(): void;
  /** Another process than the owner stored jobs. */
  added(): void;
}

/** Competes for the lease that makes one node the owner of the jobs. */
export class JobLease {
  /** Differs between two runs of one node: a lease does not outlive its process. */
  readonly id = randomUUID();
  readonly #database: SharedDatabase;
  #events: LeaseEvents | null = null;
  #validUntil = 0;
  #wasOwner = false;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  /** By the monotonic clock: a process that was suspended is no owner when it continues. */
  get isOwner(): boolean {
    return performance.now() < this.#validUntil;
  }

  /** Resolves after the first attempt; later ones follow in the background. */
  async start(events: LeaseEvents): Promise<void> {
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
    const sql = "delete from site_leases where name = 'jobs' and owner = $1";
    // Without the database the lease expires.
    await this.#database.run((db) => db.query(sql, [this.id])).catch(() => undefined);
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
      const { rows } = await this.#database.run((db) => db.query<Beat>(BEAT, [this.id, LEASE_MS]));
      const [row] = rows;
      if (row !== undefined && !this.#isClosed) this.#take(row, sentAt);
    } catch {
      // The database reports its outage; the lease expires by itself.
    }
    if (this.#wasOwner && !this.isOwner) {
      this.#wasOwner = false;
      this.#events?.lost();
    }
  }

  #take({ isOwner, hasNew }: Beat, sentAt: number): void {
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
