/** From a change of pages to the deliveries that announce it. */
import type { ChangeBatch } from "#kernel";
import type { ContentService } from "../content/contract.js";
import type { WebhookSection, DeliveryRecord } from "./contract.js";
import type { QueuedDelivery, WebhookEventData } from "./delivery-log.js";

/** The webhook events of a batch of changes: a saved page becomes `onPageUpdate` with its payload. */
export function pageEvents(
  content: Pick<ContentService, "pageEvents">,
  batch: ChangeBatch,
): WebhookEventData[] {
  return content.pageEvents(batch).map(({ hook, data }) => ({ event: hook, payload: { ...data } }));
}

/** A delivery of each event for every enabled endpoint that is subscribed to it. */
export function toDeliveries(
  events: readonly WebhookEventData[],
  endpoints: readonly WebhookSection[],
): QueuedDelivery[] {
  return events.flatMap((event) =>
    [...endpoints.entries()]
      .filter(([, { enabled, events: subscribed }]) => enabled && subscribed.includes(event.event))
      .map(([index]) => toDelivery(endpoints, index, event)),
  );
}

/** The delivery of an event to the endpoint at `index`. */
export function toDelivery(
  endpoints: readonly WebhookSection[],
  index: number,
  { event, payload }: Pick<QueuedDelivery, "event" | "payload">,
): QueuedDelivery {
  const { url = "", label = "" } = endpoints[index] ?? {};
  return { endpointIndex: index, endpointUrl: url, endpointLabel: label, event, payload };
}

/** The enabled endpoint of a record; its index may have changed. */
export function resolveEndpoint(
  endpoints: readonly WebhookSection[],
  { endpointIndex, endpointUrl, endpointLabel }: DeliveryRecord,
): WebhookSection | undefined {
  const fits = (endpoint: WebhookSection | undefined): boolean =>
    endpoint?.enabled === true &&
    endpoint.url === endpointUrl &&
    (endpoint.label ?? "") === endpointLabel;
  const same = endpoints[endpointIndex];
  return fits(same) ? same : endpoints.find(fits);
}

/** Index of the enabled endpoint with this label, URL or index; -1 without one. */
export function findEndpoint(endpoints: readonly WebhookSection[], name: string): number {
  const byLabel = endpoints.findIndex(({ enabled, label }) => enabled && label === name);
  if (byLabel !== -1) return byLabel;
  const byUrl = endpoints.findIndex(({ enabled, url }) => enabled && url === name);
  if (byUrl !== -1) return byUrl;
  return endpoints.findIndex(({ enabled }, index) => enabled && String(index) === name);
}
