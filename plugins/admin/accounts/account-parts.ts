import type { SiteContext } from "#kernel";
import { PanelSessions } from "./panel-sessions.js";

/** What accounts of the panel consist of, beside the account itself. */
export interface AccountParts {
  sessions: PanelSessions;
}

/** Creates the parts; deleting an account deletes what they store about it. */
export function createAccountParts(site: SiteContext): AccountParts {
  const store = () => site.engines.slot("records").active;
  const { log, runtime } = site;
  const { clock } = runtime;
  const sessions = new PanelSessions({ store, session: site.use("session"), clock, log });
  site.hooks.on("onUserDelete", async ({ data }) => {
    await sessions.forget(data.user.id);
  });
  return { sessions };
}
