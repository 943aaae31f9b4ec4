/** From a change of pages to the deliveries that announce it. */
import type { ChangeBatch } from "#kernel";
import type { ContentService } from "../content/contract.js";
import type { WebhookSection } from "./contract.js";
import type { QueuedDelivery, WebhookEventData } from "./delivery-record.js";

/** The webhook events of a batch of changes: a saved page becomes `onPageUpdate` with its payload. */
export function pageEvents(
  content: Pick<ContentService, "pageEvents">,
  batch: ChangeBatch,
): WebhookEventData[] {
  return content.pageEvents(batch).map(({ hook, data }) => ({ event: hook, payload: { ...data } }));
}

/** A delivery of each event for every enabled endpoint that is subscribed to it. */
export function deliveriesOf(
  events: readonly WebhookEventData[],
  endpoints: readonly WebhookSection[],
): QueuedDelivery[] {
  return events.flatMap((event) =>
    [...endpoints.entries()]
      .filter(([, { enabled, events: wanted }]) => enabled && wanted.includes(event.event))
      .map(([index]) => deliveryTo(endpoints, index, event)),
  );
}

/** The delivery of an event to the endpoint at `index`. */
export function deliveryTo(
  endpoints: readonly WebhookSection[],
  index: number,
  { event, payload }: Pick<QueuedDelivery, "event" | "payload">,
): QueuedDelivery {
  const { url = "", label = "" } = endpoints[index] ?? {};
  return { endpointIndex: index, endpointUrl: url, endpointLabel: label, event, payload };
}
