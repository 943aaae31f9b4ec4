import { engineFailureFields, type SiteContext } from "#kernel";
import type { EmailService, EmailTemplate } from "../../email/contract.js";

const INVITATION = "panel-invitation";
const RESET = "panel-password-reset";
const CHANGED = "panel-account-changed";
const NEW_EMAIL = "panel-new-email";
/** A notice that is days late is still of use. */
const NOTICE_SECONDS = 7 * 86_400;

/** The mail service; null when the site has no mailer that delivers. */
export function findMailer(site: SiteContext): EmailService | null {
  const email = site.use("email", { optional: true });
  if (email === undefined) return null;
  return site.engines.slot("mailer").activeName === "none" ? null : email;
}

/** Registers the mails of accounts, which a theme can override. */
export function addAccountMails(site: SiteContext): void {
  const email = site.use("email", { optional: true });
  email?.addTemplate(
    INVITATION,
    linkMail({
      subject: "Invitation to {{site}}",
      before: "{{inviter}} invites you to write for {{site}}. Open this link to choose a password:",
      button: "Accept the invitation",
      after:
        "It works once, within {{days}} days. If you do not know the sender, ignore this mail.",
    }),
  );
  email?.addTemplate(
    RESET,
    linkMail({
      subject: "Set a new password for {{site}}",
      before: "Open this link to set a new password for {{site}}:",
      button: "Set a new password",
      after:
        "It works once, within {{minutes}} minutes. If you did not request it, ignore this mail: your password stays as it is.",
    }),
  );
  email?.addTemplate(
    NEW_EMAIL,
    linkMail({
      subject: "Confirm your new address for {{site}}",
      before: "Open this link to use this address for your account at {{site}}:",
      button: "Confirm the address",
      after:
        "It works once, within {{hours}} hours. If you did not request it, ignore this mail: nothing changes.",
    }),
  );
  email?.addTemplate(
    CHANGED,
    linkMail({
      subject: "Your account at {{site}} was changed",
      before: "{{change}} Site: {{site}}. Time: {{time}}. If this was you, there is nothing to do.",
      button: "Set a new password",
      after:
        "If it was not you, tell an administrator of the site at once, and set a new password.",
    }),
  );
}

/** Values of every mail with a link. */
interface MailValues extends Readonly<Record<string, string>> {
  /** The title of the site. */
  readonly site: string;
  /** The button leads to this address. */
  readonly link: string;
}
interface ChangeMail extends MailValues {
  /** The change, as a sentence. */
  readonly change: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}
interface NewEmailMail extends MailValues {
  /** Lifetime of the link. */
  readonly hours: string;
}
interface InvitationMail extends MailValues {
  /** The name of the person who invites. */
  readonly inviter: string;
  /** Lifetime of the link. */
  readonly days: string;
}
interface ResetMail extends MailValues {
  /** Lifetime of the link. */
  readonly minutes: string;
}

/** Queues the mail that says what has changed about an account. */
export function mailAccountChange(
  email: EmailService,
  to: string,
  values: ChangeMail,
): Promise<void> {
  return email.sendTemplate({ template: CHANGED, to, values, usefulSeconds: NOTICE_SECONDS });
}

/** Queues the mail with the link that confirms a new address. */
export function mailNewEmail(email: EmailService, to: string, values: NewEmailMail): Promise<void> {
  const usefulSeconds = Number(values.hours) * 3_600;
  return email.sendTemplate({ template: NEW_EMAIL, to, values, usefulSeconds });
}

/** Queues the mail with the link of an invitation. */
export function mailInvitation(
  email: EmailService,
  to: string,
  values: InvitationMail,
): Promise<void> {
  const usefulSeconds = Number(values.days) * 86_400;
  return email.sendTemplate({ template: INVITATION, to, values, usefulSeconds });
}

/** Queues the mail with the link that resets a password. */
export function mailReset(email: EmailService, to: string, values: ResetMail): Promise<void> {
  const usefulSeconds = Number(values.minutes) * 60;
  return email.sendTemplate({ template: RESET, to, values, usefulSeconds });
}

/** The parts of a mail with a link; `{{name}}` stands for a value. */
interface LinkMail {
  readonly subject: string;
  /** The sentence before the link. */
  readonly before: string;
  /** The words on the link. */
  readonly button: string;
  /** The sentences after the link. */
  readonly after: string;
}

/** The template of a mail with a link, as text and as HTML; `{{link}}` is its address. */
export function linkMail({ subject, before, button, after }: LinkMail): EmailTemplate {
  return {
    subject,
    text: `${before}\n\n{{link}}\n\n${after}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>${before}</p>
<p><a href="{{link}}" style="display: inline-block; padding: .6em 1.2em; background: #4338ca; color: #fff; border-radius: .3em; text-decoration: none">${button}</a></p>
<p style="word-break: break-all"><small>{{link}}</small></p>
<p>${after}</p>
</body>
</html>
`,
  };
}

/** The sentences of the mail about each change. */
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
  const mailer = findMailer(site);
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
