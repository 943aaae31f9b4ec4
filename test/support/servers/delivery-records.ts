/** Delivery records for tests of webhooks. */
import { ulid } from "ulid";
import type { DeliveryRecord, WebhookSection } from "../../../plugins/webhooks/contract.js";

/** A pending record created at `createdAt` (Unix ms), with default values. */
export function deliveryRecord(rest: Partial<DeliveryRecord> = {}): DeliveryRecord {
  const createdAt = rest.createdAt ?? Date.parse("2026-11-20T12:00:00Z");
  return {
    id: ulid(createdAt),
    endpointUrl: "https://hooks.example/a",
    endpointLabel: "",
    event: "onPageUpdate",
    payload: { sourcePath: "01.a/default.md" },
    attempts: [],
    finalStatus: "pending",
    createdAt,
    endpointIndex: 0,
    ...rest,
  };
}

/** An enabled endpoint. */
export function webhookEndpoint(rest: Partial<WebhookSection> = {}): WebhookSection {
  return { url: "https://hooks.example/a", events: ["onPageUpdate"], enabled: true, ...rest };
}
