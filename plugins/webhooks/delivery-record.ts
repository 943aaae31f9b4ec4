/** Parses, creates and updates delivery records. */
import { decodeTime } from "ulid";
import { z } from "zod";
import type { DeliveryAttempt, DeliveryRecord, WebhookEvent } from "./contract.js";

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
export function bodyOf({ event, payload, createdAt }: DeliveryRecord): Buffer {
  return Buffer.from(JSON.stringify({ event, payload, sentAt: new Date(createdAt).toISOString() }));
}

/** A record before its first attempt; its id contains the creation time. */
export function newRecord(id: string, queued: QueuedDelivery): DeliveryRecord {
  return { id, ...queued, attempts: [], finalStatus: "pending", createdAt: decodeTime(id) };
}

/** The record with one more attempt. */
export function attempted(
  record: DeliveryRecord,
  attempt: DeliveryAttempt,
  { isLast }: { isLast: boolean },
): DeliveryRecord {
  const failed = isLast ? "failed" : "pending";
  const finalStatus = attempt.success ? "success" : failed;
  return { ...record, attempts: [...record.attempts, attempt], finalStatus };
}

/**
 * The record with `made` attempts. A crash interrupted the missing ones; they count, because they may
 * have arrived. `at`: Unix ms, start of the last one.
 */
export function withCutOff(record: DeliveryRecord, made: number, at: number): DeliveryRecord {
  const { length } = record.attempts;
  if (length >= made) return record;
  const cutOff = Array.from({ length: made - length }, (_, index) => ({
    attemptNumber: length + index + 1,
    timestamp: new Date(at).toISOString(),
    statusCode: 0,
    success: false,
    errorMessage: "the server stopped during this attempt",
  }));
  return { ...record, attempts: [...record.attempts, ...cutOff] };
}
