import type { ChangeBatch } from "#kernel";
import type { ContentService } from "../content/contract.js";
import type { WebhookEventData } from "./delivery-record.js";

/** The webhook events of a batch of changes: a saved page becomes `onPageUpdate` with its payload. */
export function pageEvents(
  content: Pick<ContentService, "pageEvents">,
  batch: ChangeBatch,
): WebhookEventData[] {
  return content.pageEvents(batch).map(({ hook, data }) => ({ event: hook, payload: { ...data } }));
}
