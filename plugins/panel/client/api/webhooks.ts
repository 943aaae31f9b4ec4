import type { List } from "./pages.js";
import { json } from "./request.js";
import type { DeliveryRecord as Delivery } from "../../../webhooks/contract.js";

export type {
  DeliveryAttempt as Attempt,
  DeliveryRecord as Delivery,
} from "../../../webhooks/contract.js";

/** What became of a delivery. */
export type DeliveryState = "success" | "failed" | "pending";

/** The latest deliveries, newest first. */
export function listDeliveries(): Promise<List<Delivery>> {
  return json("/webhooks/deliveries");
}

/** Sends a delivery again, as a new one. @throws ApiError 409 when its endpoint was removed. */
export function redeliver(id: string): Promise<Delivery> {
  const path = `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`;
  return json(path, { method: "POST", body: {} });
}
