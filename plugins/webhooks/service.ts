/** The webhooks service: creates deliveries from events, lists and repeats them. */
import { SiteError, type Clock, type ChangeBatch, type ChangeJournal } from "#kernel";
import type { Jobs } from "../jobs/contract.js";
import type {
  DeliveriesQuery,
  DeliveryRecord,
  WebhookSection,
  WebhooksService,
  WebhooksStatus,
  ReplayResult,
} from "./contract.js";
import { toDeliveries, toDelivery, resolveEndpoint, findEndpoint } from "./change-to-deliveries.js";
import {
  daysMs,
  type DeliveryLog,
  type QueuedDelivery,
  type WebhookEventData,
} from "./delivery-log.js";
import { DELIVERY_QUEUE, type DeliveryQueue } from "./delivery-queue.js";

/** Deliveries of one write; a pull may change every page. */
const STORED_AT_ONCE = 1_000;

/** Dependencies of the service. */
export interface WebhooksOptions {
  jobs: Jobs;
  queue: DeliveryQueue;
  log: DeliveryLog;
  endpoints: readonly WebhookSection[];
  clock: Clock;
  replays: ReplaySource;
}

/** Outgoing webhooks. */
export class Webhooks implements WebhooksService {
  readonly #options: WebhooksOptions;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /**
   * Creates a delivery of each event for every subscribed endpoint. Resolves when all are stored and
   * survive a crash. They are sent in the background.
   */
  async tell(events: readonly WebhookEventData[]): Promise<void> {
    await this.#addAll(toDeliveries(events, this.#options.endpoints));
  }

  async replay(
    endpoint: string,
    { since, isDryRun = false }: { since: string; isDryRun?: boolean },
  ): Promise<ReplayResult> {
    const { endpoints, replays } = this.#options;
    const index = findEndpoint(endpoints, endpoint);
    const target = endpoints[index];
    if (target === undefined) throw noEndpoint(endpoint);
    const { events, cursor, more } = await eventsSince(replays, target, since);
    if (!isDryRun) await this.#addAll(events.map((event) => toDelivery(endpoints, index, event)));
    return { events: events.length, cursor, more };
  }

  async #addAll(deliveries: readonly QueuedDelivery[]): Promise<void> {
    for (let at = 0; at < deliveries.length; at += STORED_AT_ONCE) {
      await this.#options.queue.addAll(deliveries.slice(at, at + STORED_AT_ONCE));
    }
  }

  deliveries({ days = 7, limit = 50 }: DeliveriesQuery = {}): ReturnType<
    WebhooksService["deliveries"]
  > {
    const { log, clock } = this.#options;
    return log.recent(clock.now() - daysMs(days), limit);
  }

  delivery(id: string): Promise<DeliveryRecord | null> {
    return this.#options.log.read(id);
  }

  async redeliver(id: string): Promise<DeliveryRecord> {
    const { endpoints, log, queue } = this.#options;
    const former = await log.read(id);
    if (former === null) {
      const message = `there is no delivery ${JSON.stringify(id)}`;
      throw new SiteError("ERR_WEBHOOK_UNKNOWN", message, {
        status: 404,
        fix: "take an id of the list",
      });
    }
    const endpoint = resolveEndpoint(endpoints, former);
    if (endpoint === undefined) throw noEndpoint(former.endpointLabel || "of this delivery");
    const { event, payload } = former;
    const queued = toDelivery(endpoints, endpoints.indexOf(endpoint), { event, payload });
    return queue.add({ ...queued, redeliveryOf: id });
  }

  async test(endpoint: string): Promise<DeliveryRecord> {
    const { endpoints, queue } = this.#options;
    const index = findEndpoint(endpoints, endpoint);
    if (index === -1) throw noEndpoint(endpoint);
    return queue.add(toDelivery(endpoints, index, { event: "test", payload: {} }));
  }

  async outcome(id: string): Promise<DeliveryRecord | null> {
    await this.#options.jobs.outcome(id);
    return this.delivery(id);
  }

  status(): WebhooksStatus {
    const { jobs, queue } = this.#options;
    const { waiting = 0, running = 0 } = jobs.status()[DELIVERY_QUEUE] ?? {};
    const { delivered, failed } = queue;
    return {
      pending: waiting + running,
      delivered,
      failed,
      sending: jobs.isOwner || jobs.isShared,
    };
  }
}

function noEndpoint(name: string): SiteError {
  const message = `no endpoint ${JSON.stringify(name)} is switched on`;
  return new SiteError("ERR_WEBHOOK_ENDPOINT", message, {
    status: 409,
    fix: "add it to admin.webhooks",
  });
}

/** Events of one call; a batch stays in one piece. */
const MAX_EVENTS = 1_000;
/** Batches of one read. */
const MAX_BATCHES = 100;

/** The source of a replay. */
interface ReplaySource {
  readonly journal: Pick<ChangeJournal, "read">;
  eventsOf(batch: ChangeBatch): readonly WebhookEventData[];
}

/**
 * The events after a cursor that an endpoint is subscribed to, oldest first, with the cursor to continue from.
 * @throws ERR_CHANGES_GONE (410).
 */
async function eventsSince(
  { journal, eventsOf }: ReplaySource,
  { events: subscribed }: Pick<WebhookSection, "events">,
  since: string,
): Promise<{ events: WebhookEventData[] } & Pick<ReplayResult, "cursor" | "more">> {
  const events: WebhookEventData[] = [];
  let cursor = since;
  for (;;) {
    const page = await journal.read(cursor, MAX_BATCHES);
    for (const [at, batch] of page.batches.entries()) {
      cursor = batch.cursor;
      events.push(...eventsOf(batch).filter(({ event }) => subscribed.includes(event)));
      const isLast = at === page.batches.length - 1;
      if (events.length >= MAX_EVENTS) return { events, cursor, more: page.more || !isLast };
    }
    if (!page.more) return { events, cursor, more: false };
  }
}
