/**
 * Tells endpoints of changed pages, durably, and lets others ask for a rebuild or an empty cache.
 * Provides: webhooks.
 * Uses: content, jobs, outbound, records, security, cache, media, health.
 */
import { definePlugin } from "#kernel";
import type {} from "../jobs/contract.js";
import type {} from "./contract.js";
import { settings } from "./settings.js";
import { webhookErrors } from "./errors.js";

export default definePlugin({
  name: "webhooks",
  version: "1.0.0",
  onlyServing: true,
  errors: webhookErrors,
  description: "Outgoing and incoming webhooks",
  requires: ["content", "jobs", "outbound", "records", "security"],
  after: ["cache", "media", "health"],
  settings,
  async commands() {
    const { listDeliveriesCommand, replayCommand, redeliverCommand, testCommand } =
      await import("./commands.js");
    return [listDeliveriesCommand(), redeliverCommand(), replayCommand(), testCommand()];
  },
  async setup(site) {
    const { setUpWebhooks } = await import("./set-up.js");
    setUpWebhooks(site);
  },
});
