/** The webhooks service: events become deliveries, deliveries can be read and repeated. */
import { monotonicFactory } from "ulid";
import { SiteError, type Clock, type Logger } from "#kernel";
import type {
  DeliveriesQuery,
  DeliveryRecord,
  WebhookEvent,
  WebhookSection,
  WebhooksService,
  WebhooksStatus,
} from "./contract.js";
import { daysMs, type DeliveryLog } from "./delivery-log.js";
import { endpointOf, findEndpoint } from "./endpoints.js";
import type { Outbox } from "./outbox.js";

const WRITES_AT_ONCE = 16;

/** An event with what it says. */
export interface WebhookEventData {
  event: WebhookEvent;
  payload: Record<string, unknown>;
}
/** What the service works with. */
export interface ServiceParts {
  log: DeliveryLog;
  outbox: Outbox;
  endpoints: readonly WebhookSection[];
  clock: Clock;
  logger: Logger;
  /** False while another process of this site sends. */
  isSending(): boolean;
  /** Resolves when what an earlier run has left is taken on: the order per page holds. */
  whenResumed(): Promise<void>;
}

/** Outgoing webhooks. */
export class Webhooks implements WebhooksService {
  readonly #parts: ServiceParts;
  readonly #nextId = monotonicFactory();

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /**
   * Makes a delivery of each event for every endpoint that asked for it. Resolves when all of them
   * are written: from then on no crash loses them. They are sent in the background.
   */
  async tell(events: readonly WebhookEventData[]): Promise<void> {
    const { endpoints, logger, isSending } = this.#parts;
    if (endpoints.length === 0) return;
    if (!isSending()) {
      logger.debug("webhook.elsewhere", { events: events.length });
      return;
    }
    const records = events.flatMap(({ event, payload }) =>
      [...endpoints.entries()]
        .filter(([, { enabled, events: wanted }]) => enabled && wanted.includes(event))
        .map(([index]) => this.#record(index, { event, payload })),
    );
    await this.#sendAll(records);
  }

  deliveries({ days = 7, limit = 50 }: DeliveriesQuery = {}): ReturnType<
    WebhooksService["deliveries"]
  > {
    const { log, clock } = this.#parts;
    return log.recent(clock.now() - daysMs(days), limit);
  }

  delivery(id: string): Promise<DeliveryRecord | null> {
    return this.#parts.log.read(id);
  }

  async redeliver(id: string): Promise<DeliveryRecord> {
    const { endpoints, log } = this.#parts;
    const former = await log.read(id);
    if (former === null) {
      const message = `there is no delivery ${JSON.stringify(id)}`;
      throw new SiteError("ERR_WEBHOOK_UNKNOWN", message, {
        status: 404,
        fix: "take an id of the list",
      });
    }
    const endpoint = endpointOf(endpoints, former);
    if (endpoint === undefined) throw noEndpoint(former.endpointLabel || "of this delivery");
    const { event, payload } = former;
    const record = this.#record(endpoints.indexOf(endpoint), { event, payload });
    return this.#send({ ...record, redeliveryOf: id });
  }

  async test(endpoint: string): Promise<DeliveryRecord> {
    const index = findEndpoint(this.#parts.endpoints, endpoint);
    if (index === -1) throw noEndpoint(endpoint);
    return this.#send(this.#record(index, { event: "test", payload: {} }));
  }

  async outcome(id: string): Promise<DeliveryRecord | null> {
    await this.#parts.whenResumed();
    return (await this.#parts.outbox.outcome(id)) ?? this.delivery(id);
  }

  status(): WebhooksStatus {
    const { pending, delivered, failed } = this.#parts.outbox;
    return { pending, delivered, failed, sending: this.#parts.isSending() };
  }

  #record(
    endpointIndex: number,
    { event, payload }: Pick<DeliveryRecord, "event" | "payload">,
  ): DeliveryRecord {
    const { endpoints, clock } = this.#parts;
    const endpoint = endpoints[endpointIndex];
    const createdAt = clock.now();
    return {
      id: this.#nextId(createdAt),
      endpointUrl: endpoint?.url ?? "",
      endpointLabel: endpoint?.label ?? "",
      event,
      payload,
      attempts: [],
      finalStatus: "pending",
      createdAt,
      endpointIndex,
    };
  }

  async #send(record: DeliveryRecord): Promise<DeliveryRecord> {
    await this.#sendAll([record]);
    return record;
  }

  async #sendAll(records: readonly DeliveryRecord[]): Promise<void> {
    const { logger, outbox, whenResumed } = this.#parts;
    for (let at = 0; at < records.length; at += WRITES_AT_ONCE) {
      await Promise.all(records.slice(at, at + WRITES_AT_ONCE).map((one) => this.#write(one)));
    }
    // In the background: whoever tells of an event does not wait for what an earlier run has left.
    whenResumed().then(
      () => {
        for (const record of records) outbox.accept(record);
      },
      (error: unknown) => logger.error("webhook.resume-failed", { error: String(error) }),
    );
  }

  async #write(record: DeliveryRecord): Promise<void> {
    const { log, logger } = this.#parts;
    try {
      await log.write(record);
    } catch (error) {
      // Without a record it does not survive a restart; it is sent all the same.
      logger.error("webhook.record-failed", { id: record.id, error: String(error) });
    }
  }
}

function noEndpoint(name: string): SiteError {
  const message = `no endpoint ${JSON.stringify(name)} is switched on`;
  return new SiteError("ERR_WEBHOOK_ENDPOINT", message, {
    status: 409,
    fix: "add it to admin.webhooks",
  });
}
