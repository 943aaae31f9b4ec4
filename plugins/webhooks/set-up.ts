import { type ChangeBatch, engineFailureFields, type SiteContext } from "#kernel";
import { createAttempt } from "./attempt.js";
import { daysMs, DeliveryLog, type WebhookEventData } from "./delivery-log.js";
import { DeliveryQueue } from "./delivery-queue.js";
import { unusableEntries } from "./incoming.js";
import { pageEvents } from "./change-to-deliveries.js";
import { mountIncoming } from "./routes.js";
import { Webhooks } from "./service.js";

/** Registers what the plugin does in a site that starts. */
export function setUpWebhooks(site: SiteContext): void {
  mountIncoming(site);
  reportUnusable(site);
  setUpOutgoing(site);
}

const PRUNE_EVERY_MS = 86_400_000;

function reportUnusable(site: SiteContext): void {
  for (const index of unusableEntries(site.settings.admin.incoming_webhooks, site.runtime.env)) {
    const key = `incoming_webhooks[${index}].token`;
    site.log.error("webhooks.token_unusable", { key, fix: "set it to at least 16 characters" });
  }
}

function setUpOutgoing(site: SiteContext): void {
  const jobs = site.use("jobs");
  const { log: logger } = site;
  const { clock } = site.runtime;
  const endpoints = site.settings.admin.webhooks;
  const log = new DeliveryLog(site.use("records"));
  const attempt = createAttempt(site.use("outbound"), () => clock.now());
  const queue = new DeliveryQueue({ jobs, log, endpoints, attempt, clock, logger });
  const content = site.use("content");
  const eventsOf = (batch: ChangeBatch): WebhookEventData[] => pageEvents(content, batch);
  const replays = { journal: site.changes.journal, eventsOf };
  const service = new Webhooks({ jobs, queue, log, endpoints, clock, replays });
  site.provide("webhooks", service);
  site.lifecycle.onClose(() => queue.close());
  site.use("health", { optional: true })?.addSection("webhooks", () => service.status());
  // Runs before the client gets its response, so that a crash loses no delivery.
  const announce = (batch: ChangeBatch): Promise<void> => service.tell(eventsOf(batch));
  if (endpoints.length > 0) site.changes.onAnnounce("webhooks", announce);
  site.lifecycle.onReady(() => keepPruned(site, log));
}

/** Deletes old records in the background, at startup and daily. */
function keepPruned(site: SiteContext, log: DeliveryLog): void {
  const prune = (): void => {
    log
      .prune(site.runtime.clock.now() - daysMs(site.settings.admin.webhook_log_days))
      .catch((error: unknown) =>
        site.log.warn("webhooks.prune_failed", engineFailureFields(error)),
      );
  };
  prune();
  const timer = setInterval(prune, PRUNE_EVERY_MS);
  timer.unref();
  site.lifecycle.onClose(() => clearInterval(timer));
}
