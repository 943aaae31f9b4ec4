/** The job queue of deliveries: eight at a time per endpoint, in order per page, four attempts each. */
import { z } from "zod";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import { JobError } from "#lib/jobs";
import type { Job, JobRecord, Jobs } from "../jobs/contract.js";
import { canParseUrl } from "#lib/urls";
import type { Attempt } from "./attempt.js";
import type { DeliveryRecord, WebhookSection } from "./contract.js";
import {
  type DeliveryLog,
  attempted,
  newRecord,
  withCutOff,
  type QueuedDelivery,
} from "./delivery-log.js";
import { resolveEndpoint } from "./change-to-deliveries.js";

/** The job queue of deliveries. */
export const DELIVERY_QUEUE = "webhook";
/** Delays after a failed attempt, in ms. */
const DELAYS_MS = [1_000, 5_000, 25_000];
/** Parallel deliveries per endpoint. */
const CONCURRENCY = 8;
/** Records of new deliveries that are written to the log at the same time. */
const WRITES_AT_ONCE = 16;

const queuedDelivery: z.ZodType<QueuedDelivery> = z.object({
  endpointIndex: z.int().min(0),
  endpointUrl: z.string(),
  endpointLabel: z.string(),
  event: z.string(),
  payload: z.record(z.string(), z.unknown()),
  redeliveryOf: z.string().exactOptional(),
});

/** Dependencies of the queue. */
export interface DeliveryQueueOptions {
  jobs: Jobs;
  log: DeliveryLog;
  endpoints: readonly WebhookSection[];
  attempt: Attempt;
  clock: Clock;
  logger: Logger;
  /** Default: 1, 5, 25 s. */
  delaysMs?: readonly number[];
}

/** Sends queued deliveries and logs each attempt. */
export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  /** Records that could not be written to disk. */
  readonly #unwritten = new Map<string, DeliveryRecord>();
  #listing: Promise<void> = Promise.resolve();
  #isClosing = false;
  delivered = 0;
  failed = 0;

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
    options.jobs.define<QueuedDelivery>(DELIVERY_QUEUE, {
      payload: queuedDelivery,
      concurrency: CONCURRENCY,
      delaysMs: options.delaysMs ?? DELAYS_MS,
      runsUnstored: true,
      // The log has the record, and redelivery creates a new one.
      keepsDead: false,
      run: (job) => this.#run(job),
      onDead: (job) => this.#end(job),
    });
  }

  /** Queues a delivery; resolves when it survives a crash and is logged. */
  async add(queued: QueuedDelivery): Promise<DeliveryRecord> {
    const { jobs } = this.#options;
    const { payload, ...options } = toJob(queued);
    const record = newRecord(await jobs.add(DELIVERY_QUEUE, payload, options), queued);
    // The owner writes the records, and may already have sent the delivery.
    return jobs.isOwner ? this.#open(record) : record;
  }

  /** Queues deliveries; resolves when they survive a crash. The log lists more than 16 only soon after. */
  async addAll(queued: readonly QueuedDelivery[]): Promise<void> {
    const { jobs } = this.#options;
    const ids = await jobs.addAll(DELIVERY_QUEUE, queued.map(toJob));
    if (!jobs.isOwner) return;
    const records = queued.map((one, at) => newRecord(ids[at] ?? "", one));
    if (records.length <= WRITES_AT_ONCE) return this.#list(records);
    this.#listing = this.#listing.then(() => this.#list(records));
  }

  /** Resolves when the log lists every queued delivery, or ends when the site closes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#listing;
  }

  async #list(records: readonly DeliveryRecord[]): Promise<void> {
    for (let at = 0; at < records.length && !this.#isClosing; at += WRITES_AT_ONCE) {
      await Promise.all(records.slice(at, at + WRITES_AT_ONCE).map((record) => this.#open(record)));
    }
  }

  async #run({ id, payload, ...job }: Job<QueuedDelivery>): Promise<void> {
    const { endpoints, attempt, clock } = this.#options;
    const stored = await this.#open(newRecord(id, payload));
    // Crashed after the attempt, before the job was deleted.
    if (stored.finalStatus !== "pending") return;
    const record = withCutOff(stored, job.attempt - 1, job.previousAt ?? job.createdAt);
    const endpoint = resolveEndpoint(endpoints, record);
    if (endpoint === undefined) {
      await this.#write({ ...record, finalStatus: "failed" });
      throw new JobError("its endpoint was removed or disabled", { permanent: true });
    }
    if (record !== stored) await this.#write(record);
    const timestamp = new Date(clock.now()).toISOString();
    const outcome = await attempt(record, endpoint);
    const result = { attemptNumber: job.attempt, timestamp, ...outcome };
    await this.#write(attempted(record, result, { isLast: job.isLast }));
    if (!outcome.success) throw new Error(outcome.errorMessage ?? `status ${outcome.statusCode}`);
    this.delivered += 1;
  }

  /** Records that all attempts failed; a crash may have interrupted the last one. */
  async #end({ id, payload, attempts, startedAt, createdAt }: JobRecord): Promise<void> {
    const stored = await this.#open(newRecord(id, queuedDelivery.parse(payload)));
    const isNoted = stored.finalStatus === "failed";
    const cut = isNoted ? stored : withCutOff(stored, attempts, startedAt ?? createdAt);
    const record: DeliveryRecord = { ...cut, finalStatus: "failed" };
    if (!isNoted) await this.#write(record);
    this.#unwritten.delete(id);
    this.failed += 1;
    const last = record.attempts.at(-1);
    const url = record.endpointUrl;
    this.#options.logger.warn("webhook.failed", {
      id,
      event: record.event,
      endpoint: record.endpointLabel || (canParseUrl(url) ? new URL(url).host : ""),
      attempts: record.attempts.length,
      statusCode: last?.statusCode ?? 0,
      reason: last?.errorMessage ?? "no attempt led to a 2xx answer",
    });
  }

  /** The logged record; written if it is missing. */
  async #open(record: DeliveryRecord): Promise<DeliveryRecord> {
    const unwritten = this.#unwritten.get(record.id);
    if (unwritten !== undefined) return unwritten;
    let stored = record;
    await this.#guarded(record, async () => {
      stored = await this.#options.log.ensure(record);
    });
    return stored;
  }

  /** With a full disk the record is lost, but not the delivery. */
  async #write(record: DeliveryRecord): Promise<void> {
    this.#unwritten.delete(record.id);
    const isWritten = await this.#guarded(record, () => this.#options.log.write(record));
    if (!isWritten && record.finalStatus !== "success") this.#unwritten.set(record.id, record);
  }

  async #guarded({ id }: DeliveryRecord, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#options.logger.error("webhooks.record_failed", { id, ...engineFailureFields(error) });
      return false;
    }
  }
}

function toJob(queued: QueuedDelivery): { payload: QueuedDelivery; group: string; key?: string } {
  const { endpointIndex, payload } = queued;
  const page = payload["sourcePath"];
  const key = typeof page === "string" ? { key: `${endpointIndex} ${page}` } : {};
  return { payload: queued, group: String(endpointIndex), ...key };
}
