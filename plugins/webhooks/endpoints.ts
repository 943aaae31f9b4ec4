/** Finds the endpoint of a delivery. */
import type { DeliveryRecord, WebhookSection } from "./contract.js";

/** The enabled endpoint of a record; its index may have changed. */
export function endpointOf(
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
