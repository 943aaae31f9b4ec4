import type { SiteContext } from "#kernel";
import { addAccountMails } from "./account-mail.js";
import { Invitations } from "./invitations.js";
import { PanelSessions } from "./panel-sessions.js";
import { Passkeys } from "./passkeys.js";
import { PasswordResets } from "./password-resets.js";
import { Totp } from "./totp.js";

/** What accounts of the panel consist of, beside the account itself. */
export interface AccountParts {
  sessions: PanelSessions;
  invitations: Invitations;
  resets: PasswordResets;
  totp: Totp;
  passkeys: Passkeys;
}

/** Creates the parts; deleting an account deletes what they store about it. */
export function createAccountParts(site: SiteContext): AccountParts {
  const store = () => site.engines.slot("records").active;
  const { log, runtime } = site;
  const { clock } = runtime;
  const session = site.use("session");
  const sessions = new PanelSessions({ store, session, clock, log });
  const passkeys = new Passkeys(store, clock);
  const totp = new Totp({ store, key: () => session.secret("admin-totp"), clock, log });
  site.hooks.on("onUserDelete", async ({ data }) => {
    await sessions.forget(data.user.id);
    await passkeys.forget(data.user.id);
    await totp.remove(data.user.id);
  });
  site.lifecycle.onReady(() => addAccountMails(site));
  const invitations = new Invitations(store, clock);
  const resets = new PasswordResets(store, clock);
  return { sessions, invitations, resets, totp, passkeys };
}
