import type { SiteContext } from "#kernel";
import { engineFailureFields } from "#kernel/internal";
import { mailAccountChange, mailerOf } from "./account-mail.js";

/** What changed, as the mail states it. */
const CHANGES = {
  email: "The e-mail address of your account was changed to another one.",
  emailRequested:
    "Another e-mail address was requested for your account. It holds once a link sent to it was opened.",
  password: "The password of your account was changed.",
  passkey: "A passkey was added to your account.",
  oidc: "Another way to sign in to your account was added.",
} as const;

/**
 * Tells the owner of an account by mail that how it signs in has changed: at `to`, for a changed address
 * the former one. A mail that cannot be queued is logged and fails nothing.
 */
export async function notifyOwner(
  site: SiteContext,
  to: string,
  change: keyof typeof CHANGES,
): Promise<void> {
  const mailer = mailerOf(site);
  if (mailer === null || mailer.parseAddress(to) === null) return;
  const { title, url } = site.settings.site;
  const link = `${url}${site.settings.admin.path}/reset`;
  const time = new Date(site.runtime.clock.now()).toISOString();
  try {
    await mailAccountChange(mailer, to, { site: title, change: CHANGES[change], link, time });
  } catch (error) {
    site.log.warn("admin.notice_failed", { change, ...engineFailureFields(error) });
  }
}
