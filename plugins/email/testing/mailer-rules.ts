import type { SuiteRules } from "#testing";

/** The rules of mailers by the title of their check, which `mailerContract` states. */
export const MAILER_RULES: SuiteRules = {
  "delivers a mail unchanged, including Unicode and line breaks":
    "`send` delivers subject and text as given, with Unicode, and with lines of one dot",
  "delivers it to every recipient":
    "`send` delivers to each address of `to`; `html` and `replyTo` may be null",
  "keeps concurrent mails apart": "mails that are sent at the same time arrive whole, each once",
  "throws ERR_EMAIL_REFUSED when retrying is useless":
    "`send` rejects with `ERR_EMAIL_REFUSED` when the service refuses the mail for good",
  "throws another error when retrying may help":
    "`send` rejects with another error when trying again may help",
};
