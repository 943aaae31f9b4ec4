import type { List } from "../content/pages.js";
import { json } from "../request.js";
import type { DeliveryRecord as Delivery } from "../../../../webhooks/contract.js";

export type {
  DeliveryAttempt as Attempt,
  DeliveryRecord as Delivery,
} from "../../../../webhooks/contract.js";

/** The result of a delivery. */
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

/** The events that a replay has queued, or would queue. */
export interface Replay {
  readonly events: number;
  /** The next replay continues from here. */
  readonly cursor: string;
  /** True when more follow. */
  readonly more: boolean;
}

/**
 * Sends the events since a cursor of `/api/changes` to an endpoint again: its label, or its index.
 * @throws ApiError 409 for an endpoint that is gone or off, 410 for a cursor that is no longer stored.
 */
export function replayEvents(endpoint: string, since: string, dryRun: boolean): Promise<Replay> {
  const body = { since, dryRun };
  return json(`/webhooks/${encodeURIComponent(endpoint)}/replay`, { method: "POST", body });
}

/** An endpoint of admin.yaml. */
export interface Endpoint {
  /** Names it for a replay. */
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

/** The endpoints of webhooks. */
export function listEndpoints(): Promise<List<Endpoint>> {
  return json("/webhooks");
}
