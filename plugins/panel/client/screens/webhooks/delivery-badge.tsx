import type { VNode } from "preact";
import type { DeliveryState } from "../../api/system/webhooks.js";
import { t } from "./webhooks-texts.js";

const KINDS = { success: "good", failed: "bad", pending: "warn" } as const;

/** What became of a delivery. */
export function DeliveryBadge({ state }: { state: DeliveryState }): VNode {
  return <span class={`badge ${KINDS[state]}`}>{t(`state.${state}`)}</span>;
}
