import type { JobRecord } from "./contract.js";

/** Events that a store reports to the process that opened it. */
export interface JobStoreEvents {
  /** Each time this process becomes the owner. */
  owned(): void;
  /** Another process is the owner, or may soon be: jobs that wait here are no longer run. */
  lost(): void;
  /** Another process may have stored jobs. */
  added(): void;
}

/** Stores jobs of a site root and chooses the process that runs them. */
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
  close(): Promise<void>;
}
