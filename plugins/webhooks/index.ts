/**
 * Tells endpoints of changed pages, durably, and lets others ask for a rebuild or an empty cache.
 * Provides: webhooks.
 * Uses: content, outbound, security, cache, media, health.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { definePlugin, type SiteContext } from "#kernel";
import { createAttempt } from "./attempt.js";
import { listDeliveriesCommand } from "./commands/list-deliveries.js";
import { redeliverCommand, testCommand } from "./commands/send-delivery.js";
import type {} from "./contract.js";
import { daysMs, DeliveryLog } from "./delivery-log.js";
import { unusableEntries } from "./incoming-tokens.js";
import { Outbox } from "./outbox.js";
import { OutboxOwner } from "./outbox-owner.js";
import { mountIncoming } from "./routes.js";
import { Webhooks } from "./service.js";
import { settings } from "./settings.js";
import { webhookErrors } from "./errors.js";

// A command that ends at once does not begin with what a server has left.
const resumeAfterMs = 500;
const pruneEveryMs = 86_400_000;
const settleEveryMs = 300_000;

export default definePlugin({
  name: "webhooks",
  version: "1.0.0",
  onlyServing: true,
  errors: webhookErrors,
  description: "Outgoing and incoming webhooks",
  requires: ["content", "outbound"],
  after: ["security", "cache", "media", "health"],
  settings,
  commands: [listDeliveriesCommand(), redeliverCommand(), testCommand()],
  setup(site) {
    mountIncoming(site);
    reportUnusable(site);
    setUpOutgoing(site);
  },
});

function reportUnusable(site: SiteContext): void {
  for (const index of unusableEntries(site.settings.admin.incoming_webhooks, site.env)) {
    const key = `incoming_webhooks[${index}].token`;
    site.log.error("webhook.token-unusable", { key, fix: "set it to at least 16 characters" });
  }
}

function setUpOutgoing(site: SiteContext): void {
  const { clock, log: logger } = site;
  const endpoints = site.settings.admin.webhooks;
  const log = new DeliveryLog(join(site.paths.runtime, "webhook-logs"));
  const attempt = createAttempt(site.use("outbound"), () => clock.now());
  const outbox = new Outbox({ log, endpoints, attempt, clock, logger });
  const resume = (): Promise<void> =>
    outbox.resume().catch((error: unknown) => {
      logger.error("webhook.resume-failed", { error: String(error) });
    });
  const first = firstResume(resume);
  const owner = new OutboxOwner(join(site.paths.runtime, "webhook-logs", ".owner"), first.soon);
  const isSending = (): boolean => owner.isOwner;
  const service = new Webhooks({
    log,
    outbox,
    endpoints,
    clock,
    logger,
    isSending,
    whenResumed: first.now,
  });
  site.provide("webhooks", service);
  site.find("health")?.addSection("webhooks", () => service.status());
  // Written before whoever saved a page is answered: a crash then loses no delivery.
  const content = site.use("content");
  site.changes.listen("webhooks", (batch) => {
    const events = content.pageEvents(batch);
    return service.tell(events.map(({ hook, data }) => ({ event: hook, payload: { ...data } })));
  });
  if (endpoints.length > 0) site.onReady(() => owner.start());
  site.onReady(() => keepPruned(site, log));
  const settle = async (): Promise<void> => {
    const time = owner.isOwner ? outbox.settledBefore() : null;
    // Without the note the next start reads more files: no reason to fail.
    if (time !== null) await log.settle(time).catch(() => undefined);
  };
  const timer = setInterval(() => void settle(), settleEveryMs);
  timer.unref();
  site.onClose(async () => {
    clearInterval(timer);
    await settle();
    await outbox.close();
    await owner.close();
  });

  /** What an earlier run has left: taken on soon after the start, or at the first event. */
  function firstResume(work: () => Promise<void>): { soon: () => void; now: () => Promise<void> } {
    let started: Promise<void> | null = null;
    const now = (): Promise<void> => (owner.isOwner ? (started ??= work()) : Promise.resolve());
    const soon = (): void => {
      delay(resumeAfterMs, undefined, { signal: site.signal, ref: false }).then(
        now,
        () => undefined,
      );
    };
    return { soon, now };
  }
}

/** Old records go in the background, at the start and daily. */
function keepPruned(site: SiteContext, log: DeliveryLog): void {
  const prune = (): void => {
    log
      .prune(site.clock.now() - daysMs(site.settings.admin.webhook_log_days))
      .catch((error: unknown) => site.log.warn("webhook.prune-failed", { error: String(error) }));
  };
  prune();
  const timer = setInterval(prune, pruneEveryMs);
  timer.unref();
  site.onClose(() => clearInterval(timer));
}
