/** Sends what the log holds: eight at a time per endpoint, in order per page, four attempts each. */
import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";
import { decodeTime } from "ulid";
import { canParseUrl, KeyedLock, type Clock, type Logger } from "#kernel";
import type { Attempt } from "./attempt.js";
import type { DeliveryRecord, WebhookSection } from "./contract.js";
import type { DeliveryLog } from "./delivery-log.js";
import { begun, defaultDelays, dueIn, ended, pageOf, recovered } from "./delivery-record.js";
import { endpointOf } from "./endpoints.js";

/** What the outbox works with. */
export interface OutboxOptions {
  log: DeliveryLog;
  endpoints: readonly WebhookSection[];
  attempt: Attempt;
  clock: Clock;
  logger: Logger;
  /** Milliseconds before each attempt; as many attempts as entries. Default: 0, 1, 5, 25 s. */
  delays?: readonly number[];
  /** Deliveries held in memory; more wait in their files. Default 10 000. */
  capacity?: number;
}

const atOnce = 8;
const leftOutMs = 600_000;

/** The deliveries that are under way. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #delays: readonly number[];
  readonly #capacity: number;
  readonly #order = new KeyedLock();
  readonly #queues = new Map<string, PQueue>();
  readonly #active = new Map<string, Promise<DeliveryRecord>>();
  readonly #closing = new AbortController();
  #isOverfull = false;
  #hasResumed = false;
  #resuming: Promise<void> | null = null;
  delivered = 0;
  failed = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#delays = options.delays ?? defaultDelays;
    this.#capacity = options.capacity ?? 10_000;
  }

  get pending(): number {
    return this.#active.size;
  }

  /**
   * Unix ms: every record made before then has ended. Null while that is not known: files wait that
   * are not in memory. The last minutes are left out, for records that are not taken on yet.
   */
  settledBefore(): number | null {
    if (this.#isOverfull || this.#resuming !== null || !this.#hasResumed) return null;
    const times = [...this.#active.keys()].map((id) => decodeTime(id));
    return Math.min(
      this.#options.clock.now() - leftOutMs,
      ...times.toSorted((a, b) => a - b).slice(0, 1),
    );
  }

  /** Takes on a delivery whose record is written. When memory is full it waits in its file. */
  accept(record: DeliveryRecord): void {
    if (this.#active.has(record.id) || this.#closing.signal.aborted) return;
    if (this.#isOverfull || this.#active.size >= this.#capacity) {
      this.#isOverfull = true;
      return;
    }
    const page = `${record.endpointIndex} ${pageOf(record)}`;
    const work = this.#order.run(page, () => this.#deliver(record));
    const held = work.finally(() => this.#finished(record.id));
    this.#active.set(record.id, held);
    held.catch((error: unknown) => {
      this.#options.logger.error("webhook.broken", { id: record.id, error: String(error) });
    });
  }

  /** Takes on every pending record of the log; calls during a run share it. */
  resume(): Promise<void> {
    this.#resuming ??= this.#resume().finally(() => {
      this.#resuming = null;
    });
    return this.#resuming;
  }

  async #resume(): Promise<void> {
    for await (const record of this.#options.log.pending(this.#options.clock.now())) {
      if (this.#closing.signal.aborted || this.#isOverfull) return;
      this.accept(record);
    }
    this.#hasResumed = true;
  }

  /** The record when its delivery has ended; undefined when it is not under way. */
  outcome(id: string): Promise<DeliveryRecord> | undefined {
    return this.#active.get(id);
  }

  /** Attempts under way end; everything else stays pending in its file. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#resuming;
    await Promise.allSettled(this.#active.values());
  }

  #finished(id: string): void {
    this.#active.delete(id);
    if (!this.#isOverfull || this.#active.size > this.#capacity / 2) return;
    this.#isOverfull = false;
    this.resume().catch((error: unknown) => {
      this.#options.logger.error("webhook.resume-failed", { error: String(error) });
    });
  }

  async #deliver(record: DeliveryRecord): Promise<DeliveryRecord> {
    let current = await this.#recover(record);
    while (current.finalStatus === "pending" && !this.#closing.signal.aborted) {
      const endpoint = endpointOf(this.#options.endpoints, current);
      if (endpoint === undefined) return this.#giveUp(current);
      if (!(await this.#wait(current))) break;
      const next = current;
      current = await this.#queue(current).add(() => this.#attempt(next, endpoint));
    }
    return current;
  }

  async #recover(record: DeliveryRecord): Promise<DeliveryRecord> {
    if (record.inFlight === undefined) return record;
    const next = recovered(record, this.#delays.length);
    await this.#write(next);
    this.#count(next);
    return next;
  }

  /** False when the site closes first. */
  async #wait(record: DeliveryRecord): Promise<boolean> {
    const ms = dueIn(record, this.#options.clock.now(), this.#delays);
    if (ms === 0) return true;
    try {
      await delay(ms, undefined, { signal: this.#closing.signal, ref: false });
      return true;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      throw error;
    }
  }

  async #attempt(record: DeliveryRecord, endpoint: WebhookSection): Promise<DeliveryRecord> {
    if (this.#closing.signal.aborted) return record;
    const started = begun(record, this.#options.clock.now());
    // Written first: after a crash nobody can say whether it arrived, so it counts as made.
    await this.#write(started);
    const outcome = await this.#options.attempt(started, endpoint);
    const at = this.#options.clock.now();
    const next = ended(started, outcome, { limit: this.#delays.length, at });
    await this.#write(next);
    this.#count(next);
    return next;
  }

  async #giveUp(record: DeliveryRecord): Promise<DeliveryRecord> {
    const next: DeliveryRecord = { ...record, finalStatus: "failed" };
    await this.#write(next);
    this.#count(next);
    return next;
  }

  #count(record: DeliveryRecord): void {
    if (record.finalStatus === "success") this.delivered += 1;
    if (record.finalStatus !== "failed") return;
    this.failed += 1;
    const { id, event, endpointLabel, attempts } = record;
    const last = attempts.at(-1);
    this.#options.logger.warn("webhook.failed", {
      id,
      event,
      endpoint: endpointLabel || hostOf(record.endpointUrl),
      attempts: attempts.length,
      statusCode: last?.statusCode ?? 0,
      reason: last?.errorMessage ?? "no attempt led to a 2xx answer",
    });
  }

  /** A full disk loses the record, not the delivery. */
  async #write(record: DeliveryRecord): Promise<void> {
    try {
      await this.#options.log.write(record);
    } catch (error) {
      this.#options.logger.error("webhook.record-failed", { id: record.id, error: String(error) });
    }
  }

  #queue({ endpointIndex }: DeliveryRecord): PQueue {
    const key = String(endpointIndex);
    const queue = this.#queues.get(key) ?? new PQueue({ concurrency: atOnce });
    this.#queues.set(key, queue);
    return queue;
  }
}

function hostOf(url: string): string {
  return canParseUrl(url) ? new URL(url).host : "";
}
