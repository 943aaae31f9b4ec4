/** Public types of webhooks: settings, delivery records, the service. */

/** Events that can be sent to endpoints. */
export type WebhookEvent =
  "onPageCreate" | "onPageUpdate" | "onPageDelete" | "onWorkflowChange" | "onFormSubmit";

/** One of `admin.webhooks`. */
export interface WebhookSection {
  url: string;
  events: WebhookEvent[];
  secret?: string | undefined;
  enabled: boolean;
  label?: string | undefined;
}
/** One of `admin.incoming_webhooks`. */
export interface IncomingWebhookSection {
  /** Stored as written: `$NAME` is expanded at each request, with `site.runtime.env.expand`. */
  token: string;
  actions: IncomingAction[];
}
/** Actions that a caller may request. */
export type IncomingAction = "rebuild" | "purge-cache";

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  /** 1 to 4. */
  attemptNumber: number;
  /** ISO 8601: when it began. */
  timestamp: string;
  /** 0 without a complete response. */
  statusCode: number;
  success: boolean;
  /** Only without a complete response. */
  errorMessage?: string;
}
/** A delivery as stored. Contains no secrets. */
export interface DeliveryRecord {
  /** A ULID: sorts by time. The receiver sees it as `X-Site-Delivery`. */
  id: string;
  endpointUrl: string;
  endpointLabel: string;
  event: string;
  payload: Record<string, unknown>;
  attempts: DeliveryAttempt[];
  finalStatus: "success" | "failed" | "pending";
  /** Unix ms. */
  createdAt: number;
  /** Index in `admin.webhooks` at creation. */
  endpointIndex: number;
  /** The delivery that this one repeats. */
  redeliveryOf?: string;
  /** The node that sent it last; absent while the log belongs to one server. */
  node?: string;
}
/** A query of deliveries. */
export interface DeliveriesQuery {
  /** Default 7. */
  days?: number;
  /** Default 50. */
  limit?: number;
}
/** The deliveries that a replay has queued, or would queue. */
export interface ReplayResult {
  /** Events that the endpoint is subscribed to. Each becomes a new delivery. */
  events: number;
  /** Continue from here. */
  cursor: string;
  /** True when more follow: a call queues about a thousand events. */
  more: boolean;
}
/** Status of webhooks. */
export interface WebhooksStatus {
  /** Deliveries in the queue. */
  pending: number;
  /** Since the start. */
  delivered: number;
  failed: number;
  /** False while another process of this site sends. */
  sending: boolean;
}
/**
 * Outgoing webhooks.
 *
 * @example
 * const webhooks = site.use("webhooks");
 * const { items } = await webhooks.deliveries({ days: 1 });
 * for (const { id, finalStatus } of items) if (finalStatus === "failed") await webhooks.redeliver(id);
 */
export interface WebhooksService {
  /**
   * Creates a delivery of each event for every subscribed endpoint. Resolves when all are stored and
   * survive a crash. They are sent in the background.
   */
  tell(events: readonly { event: WebhookEvent; payload: Record<string, unknown> }[]): Promise<void>;
  /** Newest first; `total` counts all records of those days. */
  deliveries(query?: DeliveriesQuery): Promise<{ items: readonly DeliveryRecord[]; total: number }>;
  delivery(id: string): Promise<DeliveryRecord | null>;
  /**
   * Sends again as a new delivery, in the background. @throws ERR_WEBHOOK_UNKNOWN (404),
   * ERR_WEBHOOK_ENDPOINT (409) when its endpoint was removed or disabled.
   */
  redeliver(id: string): Promise<DeliveryRecord>;
  /**
   * Sends the events of pages since a cursor of `GET /api/changes` to one endpoint again, in the background. `endpoint`: its label, URL or index. `isDryRun`: only counts.
   * @throws ERR_WEBHOOK_ENDPOINT (409), ERR_CHANGES_GONE (410).
   */
  replay(endpoint: string, options: { since: string; isDryRun?: boolean }): Promise<ReplayResult>;
  /** Sends event `test` to an endpoint by label or URL. @throws ERR_WEBHOOK_ENDPOINT */
  test(endpoint: string): Promise<DeliveryRecord>;
  /** Resolves with the record when it is no longer pending, or at shutdown. */
  outcome(id: string): Promise<DeliveryRecord | null>;
  status(): WebhooksStatus;
}

declare module "#kernel" {
  interface Services {
    webhooks: WebhooksService;
  }
  interface AdminSettings {
    webhooks: WebhookSection[];
    incoming_webhooks: IncomingWebhookSection[];
    webhook_log_days: number;
  }
}
