/** What incoming webhooks do. */
import type { SiteContext } from "#kernel";
import type { IncomingAction } from "./contract.js";

/** Runs one action; a rebuild goes on in the background. */
export type RunAction = (action: IncomingAction) => Promise<void>;

/** The actions of a site. Rebuilds that are asked for during one share the one that follows. */
export function createActions(site: SiteContext): RunAction {
  return async (action) => {
    if (action === "rebuild") {
      site
        .use("content")
        .rebuild()
        .then(
          () => site.log.info("webhook.rebuilt"),
          (error: unknown) => site.log.error("webhook.rebuild-failed", { error: String(error) }),
        );
      return;
    }
    site.find("cache")?.clear();
    await site.find("media")?.purge();
  };
}
