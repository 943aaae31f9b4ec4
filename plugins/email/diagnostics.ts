import { type Diagnostic, SiteError } from "#kernel";
import { SmtpMailer } from "./engines/smtp.js";

/** Connects and logs in to the mail server. */
export function mailCheck(): Diagnostic {
  return {
    name: "mail",
    run: async ({ settings: { site } }) => {
      const { email } = site;
      if (email === undefined) return [];
      if (email.provider === "console") {
        const fix = "set email.provider of site.yaml";
        return [{ level: "warning", seen: "mail is written to the log, not sent", fix }];
      }
      if (email.provider !== "smtp" || email.smtp === undefined) {
        return [
          {
            level: "ok",
            seen: `${email.provider} is configured (not asked: it would count as a mail)`,
          },
        ];
      }
      const { host, port } = email.smtp;
      const mailer = new SmtpMailer({ ...email.smtp, timeoutMs: 4_000 });
      try {
        await mailer.verify();
        return [{ level: "ok", seen: `the mail server ${host}:${port} accepts the login` }];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const known = error instanceof SiteError ? error.fix : undefined;
        const fix = known ?? "start it, or correct host, port, user and pass of email.smtp";
        return [{ level: "error", seen: `${host}:${port}: ${reason}`, fix }];
      } finally {
        await mailer.close();
      }
    },
  };
}
