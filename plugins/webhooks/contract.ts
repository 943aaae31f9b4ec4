/** What others may know of webhooks: their settings. */

/** Events that endpoints can be told of (specification: Outbound webhook events). */
export type WebhookEvent = "onPageCreate" | "onPageUpdate" | "onPageDelete" | "onWorkflowChange";

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
  /** As written: `$NAME` is expanded at each request, with `site.env.expand`. */
  token: string;
  actions: ("rebuild" | "purge-cache")[];
}

declare module "#kernel" {
  interface SiteSettings {
    outbound: { deny_private: boolean };
  }
  interface AdminSettings {
    webhooks: WebhookSection[];
    incoming_webhooks: IncomingWebhookSection[];
  }
}
