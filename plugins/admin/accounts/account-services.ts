import type { SiteContext } from "#kernel";
import type { SessionList } from "../../session/contract.js";
import type { AccountPasskeys } from "../../users/contract.js";
import { addAccountMails } from "./account-mail.js";
import type { AuditLog } from "../audit-log.js";
import { EmailChanges, Invitations, PasswordResets } from "./mailed-links.js";
import { FirstStepsGuide } from "./first-account.js";
import { createPanelOidc, type PanelOidc } from "./panel-oidc.js";
import { Roles } from "./roles.js";
import { Totp } from "./totp.js";

/** The services that accounts of the panel use. */
export interface AccountServices {
  sessions: SessionList;
  invitations: Invitations;
  resets: PasswordResets;
  emailChanges: EmailChanges;
  totp: Totp;
  passkeys: AccountPasskeys;
  roles: Roles;
  firstSteps: FirstStepsGuide;
  /** Null without the setting `oidc`. */
  oidc: PanelOidc | null;
}

/** Creates the services; deleting an account deletes what they store about it. */
export function createAccountServices(site: SiteContext, audit: AuditLog): AccountServices {
  const store = site.use("records");
  const { log, runtime } = site;
  const { clock } = runtime;
  const session = site.use("session");
  const sessions = site.use("sessionLists").admin;
  const roles = new Roles(site.settings.admin.roles);
  const oidc = createPanelOidc(site, roles);
  const passkeys = site.use("passkeys").of("admin", site.settings.admin.path);
  const totp = new Totp({ store, key: () => session.secret("admin-totp"), clock, log });
  const firstSteps = new FirstStepsGuide({ store, audit, runtime: site.paths.runtime });
  const emailChanges = new EmailChanges(store, clock);
  site.hooks.on("onUserDelete", async ({ data }) => {
    await sessions.forget(data.user.id);
    await firstSteps.forget(data.user.id);
    await totp.remove(data.user.id);
    await emailChanges.forget(data.user.id);
  });
  site.lifecycle.onReady(() => addAccountMails(site));
  const invitations = new Invitations(store, clock);
  const resets = new PasswordResets(store, clock);
  return {
    sessions,
    invitations,
    resets,
    emailChanges,
    totp,
    passkeys,
    roles,
    firstSteps,
    oidc,
  };
}
