import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { may } from "../../api/session.js";
import { listDeliveries, type Delivery } from "../../api/system/webhooks.js";
import { href, setQuery } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { FilterSelect } from "../../parts/lists/filter-select.js";
import { lazy } from "../../parts/lazy.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Table } from "../../parts/lists/table.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { DeliveryBadge } from "./delivery-badge.js";
import { DeliveryDialog } from "./delivery-dialog.js";
import { t } from "./webhooks-texts.js";

const ReplayDialog = lazy(() => import("./replay-dialog.js"));
const STATES = ["success", "failed", "pending"] as const;

/** The deliveries of webhooks. */
export default function Webhooks({ query }: ScreenProps): VNode {
  const deliveries = useLoaded("deliveries", listDeliveries);
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

function Deliveries({ items }: { items: readonly Delivery[] }): VNode {
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

function Row({ delivery }: { delivery: Delivery }): VNode {
  const { id, event, attempts, finalStatus, createdAt } = delivery;
  const endpoint = delivery.endpointLabel || delivery.endpointUrl;
  return (
    <tr>
      <td>
        <button
          type="button"
          class="link"
          aria-label={t("open", { event, endpoint })}
          onClick={() => setQuery({ delivery: id })}
        >
          {event}
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
