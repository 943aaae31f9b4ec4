/** Actions of incoming webhooks. */
import type { SiteContext } from "#kernel";
import type { IncomingAction } from "./contract.js";
import { RebuildGate } from "./rebuild-gate.js";

/** Runs one action; a rebuild continues in the background. */
export type RunAction = (action: IncomingAction) => Promise<void>;

/** The actions of a site. */
export function createActions(site: SiteContext): RunAction {
  const gate = new RebuildGate(() => rebuild(site), site.lifecycle.signal);
  return async (action) => {
    if (action === "purge-cache") {
      site.use("cache", { optional: true })?.clear();
      await site.use("media", { optional: true })?.purge();
      return;
    }
    gate.ask().catch((error: unknown) => {
      site.log.error("webhooks.rebuild_failed", { error: String(error) });
    });
  };
}

/** Logs a failure, so that a following rebuild still runs. */
async function rebuild(site: SiteContext): Promise<void> {
  try {
    await site.use("content").rebuild();
    site.log.info("webhook.rebuilt");
  } catch (error) {
    site.log.error("webhooks.rebuild_failed", { error: String(error) });
  }
}
