import type { VNode } from "preact";
import type { DeliveryRecord } from "../../webhooks/contract.js";
import { Badge } from "./badge.js";
import type { FrameProps } from "./frame.js";

/** Content of the deliveries table. */
export interface DeliveriesProps {
  frame: Pick<FrameProps, "path" | "user">;
  deliveries: { items: readonly DeliveryRecord[]; total: number };
  mayRedeliver: boolean;
}

/** Webhook deliveries of the last days, newest first. */
export function Deliveries({ deliveries, frame, mayRedeliver }: DeliveriesProps): VNode {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Webhook deliveries</h2>
      {deliveries.items.length === 0 ? (
        <p class="dim">Nothing was sent in the last 7 days.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of deliveries">
          <table>
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">Endpoint</th>
                <th scope="col">Status</th>
                <th scope="col">Attempts</th>
                <th scope="col">Time</th>
                {mayRedeliver && <th scope="col">Action</th>}
              </tr>
            </thead>
            <tbody>
              {deliveries.items.slice(0, 20).map((record) => (
                <Delivery record={record} frame={frame} mayRedeliver={mayRedeliver} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Delivery(props: {
  record: DeliveryRecord;
  frame: DeliveriesProps["frame"];
  mayRedeliver: boolean;
}): VNode {
  const { record, frame, mayRedeliver } = props;
  const { id, event, endpointLabel, endpointUrl, finalStatus, attempts, createdAt } = record;
  const last = attempts.at(-1);
  const code =
    last === undefined
      ? ""
      : last.statusCode === 0
        ? (last.errorMessage ?? "no response")
        : String(last.statusCode);
  return (
    <tr>
      <td>{event}</td>
      <td>{endpointLabel === "" ? endpointUrl : endpointLabel}</td>
      <td>
        <Badge text={finalStatus} kind={finalStatus} /> <span class="dim">{code}</span>
      </td>
      <td>{attempts.length}</td>
      <td>
        <time datetime={new Date(createdAt).toISOString()}>{formatTime(createdAt)}</time>
      </td>
      {mayRedeliver && (
        <td>
          <form
            method="post"
            action={`${frame.path}/deliveries/${encodeURIComponent(id)}/redeliver`}
          >
            <input type="hidden" name="_csrf" value={frame.user?.csrfToken ?? ""} />
            <button
              class="quiet"
              type="submit"
              aria-label={`Redeliver ${event} of ${formatTime(createdAt)}`}
            >
              Redeliver
            </button>
          </form>
        </td>
      )}
    </tr>
  );
}

function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
