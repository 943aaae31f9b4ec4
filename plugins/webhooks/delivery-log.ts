/** The log of deliveries: one record each, updated after each attempt. */
import { decodeTime } from "ulid";
import { z } from "zod";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
  Stored,
} from "../records/contract.js";
import type { DeliveryRecord, DeliveryAttempt, WebhookEvent } from "./contract.js";

const DAY_MS = 86_400_000;

const COLLECTION: CollectionDefinition<DeliveryRecord> = {
  name: "webhook-logs",
  key: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  byDay: true,
  isIndented: true,
  parse: (value, id) => {
    const record = parseRecord(value);
    return record?.id === id ? record : null;
  },
};

/** Reads and writes records. */
export class DeliveryLog {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  write(record: DeliveryRecord): Promise<void> {
    return this.#records.put(record.id, record);
  }

  /** The logged record of this id; writes `record` if it is missing. */
  async ensure(record: DeliveryRecord): Promise<DeliveryRecord> {
    // After a power failure the job of the delivery still exists and writes it again.
    const options = { durable: false };
    const stored = await this.#records.update(
      record.id,
      (existing) => (existing === null ? record : null),
      options,
    );
    return stored?.value ?? record;
  }

  async read(id: string): Promise<DeliveryRecord | null> {
    const stored = await this.#records.get(id);
    return stored === null ? null : shown(stored);
  }

  /** The newest records since `from` (Unix ms), newest first, and how many there are. */
  async recent(
    from: number,
    limit: number,
  ): Promise<{ items: readonly DeliveryRecord[]; total: number }> {
    const { items, total } = await this.#records.list({ since: from, limit });
    return { items: items.map(shown), total };
  }

  /** Removes the days before `before` (Unix ms). */
  prune(before: number): Promise<void> {
    return this.#records.prune(before);
  }

  get #records(): RecordCollection<DeliveryRecord> {
    return this.#store.collection(COLLECTION);
  }
}

function shown({ value, node }: Stored<DeliveryRecord>): DeliveryRecord {
  return node === null ? value : { ...value, node };
}

/** Converts days to milliseconds. */
export function daysMs(days: number): number {
  return days * DAY_MS;
}

/** The job payload of a delivery. Contains no secrets. */
export type QueuedDelivery = Pick<
  DeliveryRecord,
  "endpointIndex" | "endpointUrl" | "endpointLabel" | "event" | "payload" | "redeliveryOf"
>;

/** An event with its payload. */
export interface WebhookEventData {
  event: WebhookEvent;
  payload: Record<string, unknown>;
}

const attempt = z.object({
  attemptNumber: z.int().min(1),
  timestamp: z.string(),
  statusCode: z.number(),
  success: z.boolean(),
  errorMessage: z.string().exactOptional(),
});
const recordSchema = z.object({
  id: z.string(),
  endpointUrl: z.string(),
  endpointLabel: z.string(),
  event: z.string(),
  payload: z.record(z.string(), z.unknown()),
  attempts: z.array(attempt),
  finalStatus: z.enum(["success", "failed", "pending"]),
  createdAt: z.number(),
  endpointIndex: z.int().default(0),
  redeliveryOf: z.string().exactOptional(),
});

/** A stored record; null when invalid. */
export function parseRecord(value: unknown): DeliveryRecord | null {
  return recordSchema.safeParse(value).data ?? null;
}

/** The body of every attempt of a delivery: the same bytes each time. */
export function toBody({ event, payload, createdAt }: DeliveryRecord): Buffer {
  return Buffer.from(JSON.stringify({ event, payload, sentAt: new Date(createdAt).toISOString() }));
}

/** A record before its first attempt; its id contains the creation time. */
export function newRecord(id: string, queued: QueuedDelivery): DeliveryRecord {
  return { id, ...queued, attempts: [], finalStatus: "pending", createdAt: decodeTime(id) };
}

/** Options of an attempt. */
interface AttemptedOptions {
  /** No attempt follows: a failure is final. */
  readonly isLast: boolean;
}

/** The record with one more attempt. */
export function attempted(
  record: DeliveryRecord,
  attempt: DeliveryAttempt,
  { isLast }: AttemptedOptions,
): DeliveryRecord {
  const failed = isLast ? "failed" : "pending";
  const finalStatus = attempt.success ? "success" : failed;
  return { ...record, attempts: [...record.attempts, attempt], finalStatus };
}

/**
 * The record with `made` attempts. A crash interrupted the missing ones; they count, because they may
 * have arrived. `at`: Unix ms, start of the last one.
 */
export function withCutOff(record: DeliveryRecord, attempts: number, at: number): DeliveryRecord {
  const { length } = record.attempts;
  if (length >= attempts) return record;
  const cutOff = Array.from({ length: attempts - length }, (_, index) => ({
    attemptNumber: length + index + 1,
    timestamp: new Date(at).toISOString(),
    statusCode: 0,
    success: false,
    errorMessage: "the server stopped during this attempt",
  }));
  return { ...record, attempts: [...record.attempts, ...cutOff] };
}
