import type { VNode } from "preact";
import type { DeliveryState } from "../../api/system/webhooks.js";
import { texts } from "../../app/texts.js";
import de from "../../locales/de/webhooks.json";
import en from "../../locales/en/webhooks.json";

const t = texts({ en, de });

const KINDS = { success: "good", failed: "bad", pending: "warn" } as const;

interface DeliveryBadgeProps {
  state: DeliveryState;
}

/** The result of a delivery. */
export function DeliveryBadge({ state }: DeliveryBadgeProps): VNode {
  return <span class={`badge ${KINDS[state]}`}>{t(`state.${state}`)}</span>;
}
