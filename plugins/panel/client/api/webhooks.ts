import type { List } from "./pages.js";
import { json } from "./request.js";

/** One try to deliver. */
export interface Attempt {
  readonly attemptNumber: number;
  /** ISO 8601. */
  readonly timestamp: string;
  /** 0 without a complete response. */
  readonly statusCode: number;
  readonly success: boolean;
  readonly errorMessage?: string;
}
/** What became of a delivery. */
export type DeliveryState = "success" | "failed" | "pending";
/** An event that was sent to an endpoint. */
export interface Delivery {
  readonly id: string;
  readonly endpointUrl: string;
  readonly endpointLabel: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly attempts: readonly Attempt[];
  readonly finalStatus: DeliveryState;
  /** Unix ms. */
  readonly createdAt: number;
  /** The delivery that this one repeats. */
  readonly redeliveryOf?: string;
}

/** The latest deliveries, newest first. */
export function listDeliveries(): Promise<List<Delivery>> {
  return json("/webhooks/deliveries");
}

/** Sends a delivery again, as a new one. @throws ApiError 409 when its endpoint was removed. */
export function redeliver(id: string): Promise<Delivery> {
  const path = `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`;
  return json(path, { method: "POST", body: {} });
}
