import { Send } from "lucide";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { may } from "../../api/session.js";
import { redeliver, type Attempt, type Delivery } from "../../api/system/webhooks.js";
import { attempt, done } from "../../app/toasts.js";
import { Dialog } from "../../parts/dialog.js";
import { Icon } from "../../parts/icon.js";
import { fullMoment } from "../../parts/moment.js";
import { DeliveryBadge } from "./delivery-badge.js";
import { t } from "./webhooks-texts.js";

const POLL_MS = 1_000;

/** One delivery. */
export interface DeliveryDialogProps {
  delivery: Delivery;
  onClose(): void;
  /** Shows another delivery. */
  onOpen(id: string): void;
  /** Loads the deliveries again. */
  onReload(): void;
}

/** A delivery with its attempts and payload; it is sent again from here. */
export function DeliveryDialog(props: DeliveryDialogProps): VNode {
  const { delivery, onClose, onReload } = props;
  const isPending = delivery.finalStatus === "pending";
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(onReload, POLL_MS);
    return () => clearInterval(timer);
  }, [isPending]);
  return (
    <Dialog title={t("delivery", { event: delivery.event })} onClose={onClose} wide>
      <div class="row" role="status">
        <DeliveryBadge state={delivery.finalStatus} />
        <span class="dim">{fullMoment(delivery.createdAt)}</span>
      </div>
      {delivery.redeliveryOf !== undefined && <p class="dim">{t("repeats")}</p>}
      <p class="break">
        {delivery.endpointLabel !== "" && <strong>{delivery.endpointLabel} </strong>}
        <code>{delivery.endpointUrl}</code>
      </p>
      <Attempts of={delivery} />
      <section class="stack-small" aria-label={t("payload")}>
        <h3>{t("payload")}</h3>
        <pre class="payload" tabIndex={0} aria-label={t("payload")}>
          {JSON.stringify(delivery.payload, null, 2)}
        </pre>
      </section>
      <Again {...props} />
    </Dialog>
  );
}

function Again({ delivery, onOpen, onReload }: DeliveryDialogProps): VNode | null {
  const [isBusy, setBusy] = useState(false);
  if (!may("config.update")) return null;
  const send = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const { id } = await redeliver(delivery.id);
      done(t("again.sent"));
      onOpen(id);
      onReload();
    });
    setBusy(false);
  };
  return (
    <div class="actions">
      <button type="button" class="primary" disabled={isBusy} onClick={() => void send()}>
        <Icon of={Send} />
        {t("again")}
      </button>
    </div>
  );
}

function Attempts({ of }: { of: Delivery }): VNode {
  return (
    <section class="stack-small" aria-label={t("attempts")}>
      <h3>{t("attempts")}</h3>
      <ul class="plain-list">
        {of.attempts.map((one) => (
          <li key={one.attemptNumber} class="page-line">
            <span>
              {t("attempt", { n: one.attemptNumber })}: {resultOf(one)}
            </span>
            <small class="dim">{fullMoment(one.timestamp)}</small>
          </li>
        ))}
      </ul>
      {of.finalStatus === "pending" && <p class="dim">{t("next")}</p>}
    </section>
  );
}

function resultOf({ statusCode, errorMessage }: Attempt): string {
  return statusCode === 0 ? (errorMessage ?? "") : t("answer", { status: statusCode });
}
