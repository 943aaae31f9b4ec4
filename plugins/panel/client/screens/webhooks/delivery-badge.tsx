import type { VNode } from "preact";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/webhooks.json";
import en from "../../locales/en/webhooks.json";
import type { Item } from "../../api/request.js";

type DeliveryState = Item<"GET /webhooks/deliveries">["finalStatus"];

const t = texts({ en, de });

const KINDS = { success: "good", failed: "bad", pending: "warn" } as const;

interface DeliveryBadgeProps {
  state: DeliveryState;
}

/** The result of a delivery. */
export function DeliveryBadge({ state }: DeliveryBadgeProps): VNode {
  return <span class={`badge ${KINDS[state]}`}>{t(`state.${state}`)}</span>;
}
