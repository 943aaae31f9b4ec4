import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Send } from "lucide";
import { href, setQuery, type ScreenProps } from "../../app/router.js";
import { texts } from "../../app/texts.js";
import { attempt, done } from "../../app/toasts.js";
import de from "../../locales/de/webhooks.json";
import en from "../../locales/en/webhooks.json";
import { Dialog } from "../../parts/dialog.js";
import { eventText } from "../../parts/event-name.js";
import { Icon } from "../../parts/icon.js";
import { FilterSelect, Table } from "../../parts/table.js";
import { lazyDialog, Loading, useLoaded } from "../../parts/loading.js";
import { fullMoment, Moment } from "../../parts/moment.js";
import { DeliveryBadge } from "./delivery-badge.js";
import { call, type Item } from "../../api/request.js";
import { may } from "../../api/session.js";

type Attempt = Delivery["attempts"][number];
type Delivery = Item<"GET /webhooks/deliveries">;

const t = texts({ en, de });

const ReplayDialog = lazyDialog(() => import("./replay-dialog.js"));
const STATES = ["success", "failed", "pending"] as const;

/** The deliveries of webhooks. */
export default function Webhooks({ query }: ScreenProps): VNode {
  const deliveries = useLoaded("deliveries", () => call("GET /webhooks/deliveries"));
  const [isReplaying, setReplaying] = useState(false);
  const state = query.get("state") ?? "";
  const shown = deliveries.data?.items.find(({ id }) => id === query.get("delivery"));
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <div class="row">
          {may("config.read") && (
            <a class="button" href={href("/settings/admin")} data-screen>
              {t("endpoints")}
            </a>
          )}
          {may("config.read") && may("config.update") && (
            <button type="button" onClick={() => setReplaying(true)}>
              {t("replay.open")}
            </button>
          )}
        </div>
        <p>{t("why")}</p>
      </header>
      <div class="row" role="search">
        <FilterSelect
          name="state"
          label={t("state")}
          value={state}
          any={t("anyState")}
          options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        />
      </div>
      <Loading of={deliveries}>
        {({ items }) => (
          <Deliveries items={items.filter((one) => state === "" || one.finalStatus === state)} />
        )}
      </Loading>
      {isReplaying && (
        <ReplayDialog onClose={() => setReplaying(false)} onDone={deliveries.reload} />
      )}
      {shown !== undefined && (
        <DeliveryDialog
          key={shown.id}
          delivery={shown}
          onClose={() => setQuery({ delivery: "" })}
          onOpen={(id) => setQuery({ delivery: id, state: "" })}
          onReload={deliveries.reload}
        />
      )}
    </div>
  );
}

interface DeliveriesProps {
  items: readonly Delivery[];
}

function Deliveries({ items }: DeliveriesProps): VNode {
  return (
    <>
      <p class="dim" role="status">
        {items.length === 0 ? t("none") : t("count", { n: items.length })}
      </p>
      {items.length > 0 && (
        <Table
          label={t("title")}
          columns={[
            { label: t("event") },
            { label: t("endpoint") },
            { label: t("state") },
            { label: t("attempts"), wideOnly: true },
            { label: t("when"), wideOnly: true },
          ]}
        >
          {items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </Table>
      )}
    </>
  );
}

interface RowProps {
  delivery: Delivery;
}

function Row({ delivery }: RowProps): VNode {
  const { id, event, attempts, finalStatus, createdAt } = delivery;
  const endpoint = delivery.endpointLabel || delivery.endpointUrl;
  return (
    <tr>
      <td>
        <button
          type="button"
          class="link"
          aria-label={t("open", { event: eventText(event), endpoint })}
          onClick={() => setQuery({ delivery: id })}
        >
          {eventText(event)}
        </button>
      </td>
      <td class="break">{endpoint}</td>
      <td>
        <DeliveryBadge state={finalStatus} />
      </td>
      <td class="wide-only">{attempts.length}</td>
      <td class="wide-only dim">
        <Moment at={createdAt} />
      </td>
    </tr>
  );
}

const POLL_MS = 1_000;

/** One delivery. */
interface DeliveryDialogProps {
  delivery: Delivery;
  onClose(): void;
  /** Shows another delivery. */
  onOpen(id: string): void;
  /** Loads the deliveries again. */
  onReload(): void;
}

/** A delivery with its attempts and payload; it is sent again from here. */
function DeliveryDialog(props: DeliveryDialogProps): VNode {
  const { delivery, onClose, onReload } = props;
  const isPending = delivery.finalStatus === "pending";
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(onReload, POLL_MS);
    return () => clearInterval(timer);
  }, [isPending]);
  return (
    <Dialog title={t("delivery", { event: eventText(delivery.event) })} onClose={onClose} wide>
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
      const { id } = await call("POST /webhooks/deliveries/:id/redeliver", {
        params: { id: delivery.id },
      });
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

interface AttemptsProps {
  of: Delivery;
}

function Attempts({ of }: AttemptsProps): VNode {
  return (
    <section class="stack-small" aria-label={t("attempts")}>
      <h3>{t("attempts")}</h3>
      <ul class="plain-list">
        {of.attempts.map((one) => (
          <li key={one.attemptNumber} class="page-line">
            <span>
              {t("attempt", { n: one.attemptNumber })}: {describeResult(one)}
            </span>
            <small class="dim">{fullMoment(one.timestamp)}</small>
          </li>
        ))}
      </ul>
      {of.finalStatus === "pending" && <p class="dim">{t("next")}</p>}
    </section>
  );
}

function describeResult({ statusCode, errorMessage }: Attempt): string {
  return statusCode === 0 ? (errorMessage ?? "") : t("answer", { status: statusCode });
}
