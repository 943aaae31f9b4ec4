/** What a delivery record says: how one begins, goes on and ends. */
import { z } from "zod";
import type { DeliveryAttempt, DeliveryRecord } from "./contract.js";

/** Milliseconds before each attempt, counted from the end of the one before. */
export const defaultDelays: readonly number[] = [0, 1_000, 5_000, 25_000];

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
  inFlight: z.object({ attemptNumber: z.int(), timestamp: z.string() }).exactOptional(),
  endedAt: z.number().exactOptional(),
  redeliveryOf: z.string().exactOptional(),
});

/** A record out of a file's text; null for anything else. */
export function parseRecord(text: string): DeliveryRecord | null {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** The body of every attempt of a delivery: the same bytes each time. */
export function bodyOf({ event, payload, createdAt }: DeliveryRecord): Buffer {
  return Buffer.from(JSON.stringify({ event, payload, sentAt: new Date(createdAt).toISOString() }));
}

/** The page a delivery is about; deliveries of one page keep their order. */
export function pageOf({ payload, id }: DeliveryRecord): string {
  return typeof payload["sourcePath"] === "string" ? payload["sourcePath"] : id;
}

/** Notes that the next attempt begins now. */
export function begun(record: DeliveryRecord, now: number): DeliveryRecord {
  const timestamp = new Date(now).toISOString();
  return { ...record, inFlight: { attemptNumber: record.attempts.length + 1, timestamp } };
}

/** Notes how the attempt that is under way went; `at`: when it ended, null when that is not known. */
export function ended(
  record: DeliveryRecord,
  outcome: Omit<DeliveryAttempt, "attemptNumber" | "timestamp">,
  { limit, at }: { limit: number; at: number | null },
): DeliveryRecord {
  const { inFlight, endedAt: _, ...rest } = record;
  if (inFlight === undefined) return record;
  const attempts = [...record.attempts, { ...inFlight, ...outcome }];
  const failed = attempts.length >= limit ? "failed" : "pending";
  const finalStatus = outcome.success ? "success" : failed;
  return { ...rest, attempts, finalStatus, ...(at !== null && { endedAt: at }) };
}

/** A record as a crash has left it: the attempt under way may have arrived, so it counts. */
export function recovered(record: DeliveryRecord, limit: number): DeliveryRecord {
  const errorMessage = "the server stopped during this attempt";
  return ended(record, { statusCode: 0, success: false, errorMessage }, { limit, at: null });
}

/** Milliseconds until the next attempt is due. */
export function dueIn(record: DeliveryRecord, now: number, delays: readonly number[]): number {
  const delay = delays[record.attempts.length] ?? 0;
  const last = record.attempts.at(-1);
  if (last === undefined) return delay;
  const waited = now - (record.endedAt ?? Date.parse(last.timestamp));
  // A clock that was set back does not prolong the wait.
  return Number.isFinite(waited) ? Math.min(Math.max(delay - waited, 0), delay) : delay;
}
