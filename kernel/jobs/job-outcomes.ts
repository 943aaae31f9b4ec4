import { setTimeout as delay } from "node:timers/promises";
import type { JobRecord } from "../contracts.js";

/** How often the end of a job that another process runs is looked for, in ms. */
const POLL_MS = 100;

/** What waiting for outcomes works with. */
export interface OutcomeParts {
  /** True for a job that waits or runs in this process. */
  isHere(id: string): boolean;
  /** The stored job, of whatever queue. */
  stored(id: string): Promise<JobRecord | null>;
  /** Aborted when the site closes. */
  signal: AbortSignal;
}

/** Callers that wait for the end of a job. */
export class JobOutcomes {
  readonly #parts: OutcomeParts;
  readonly #waiters = new Map<string, ((record: JobRecord | null) => void)[]>();

  constructor(parts: OutcomeParts) {
    this.#parts = parts;
  }

  /** Resolves with null for a job that succeeded, else with what is stored when it is dead or the site closes. */
  async of(id: string): Promise<JobRecord | null> {
    const { isHere, stored, signal } = this.#parts;
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
      this.ended(id, await this.#parts.stored(id).catch(() => null));
    }
  }
}
