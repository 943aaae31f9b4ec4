/** The mail about a new passkey. */
import type { SiteContext } from "#kernel";
import { engineFailureFields } from "#kernel/internal";
import type { EmailTemplate } from "../../email/contract.js";

const TEMPLATE = "passkey-added";
/** A notice that is days late is still of use. */
const NOTICE_SECONDS = 7 * 86_400;

/** Values: `site`, `name`, `time`, `link`. */
const BUILT_IN: EmailTemplate = {
  subject: "New passkey for your account at {{site}}",
  text: `The passkey "{{name}}" was added to your account at {{site}}. Time: {{time}}.
If this was you, there is nothing to do. If it was not you, log in and remove it:

{{link}}

Then end the sessions that you do not know.
`,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>New passkey for your account at {{site}}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>The passkey "{{name}}" was added to your account at {{site}}. Time: {{time}}.
If this was you, there is nothing to do. If it was not you, log in and remove it:</p>
<p><a href="{{link}}">{{link}}</a></p>
<p>Then end the sessions that you do not know.</p>
</body>
</html>
`,
};

/** Registers the mail, which a theme can override. */
export function addPasskeyNotice(site: SiteContext): void {
  site.use("email", { optional: true })?.addTemplate(TEMPLATE, BUILT_IN);
}

/**
 * Mails the owner of an account that a passkey was added. A mail that cannot be queued is logged and
 * fails nothing.
 */
export async function notifyOfPasskey(site: SiteContext, to: string, name: string): Promise<void> {
  const email = site.use("email", { optional: true });
  if (email === undefined || site.engines.slot("mailer").activeName === "none") return;
  if (email.parseAddress(to) === null) return;
  const { title, url } = site.settings.site;
  const time = new Date(site.runtime.clock.now()).toISOString();
  const values = { site: title, name, time, link: `${url}/auth/account` };
  try {
    await email.sendTemplate({ template: TEMPLATE, to, values, usefulSeconds: NOTICE_SECONDS });
  } catch (error) {
    site.log.warn("auth.notice_failed", engineFailureFields(error));
  }
}
