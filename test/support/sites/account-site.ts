// A site with its admin API that sends mail to an SMTP server.
import { Secret, TOTP } from "otpauth";
import {
  adminPlugins,
  bootAdmin,
  password,
  type AdminClient,
  type AdminSite,
} from "./admin-site.js";
import type { BootOptions } from "./boot-site.js";
import { startMailServer, type MailServer } from "../servers/mail-server.js";
import { until } from "../until.js";

export const SITE_URL = "http://site.example:8000";

export interface AccountSite extends AdminSite {
  mail: MailServer;
  /** Resolves with the path of the link in the n-th mail. */
  linkOfMail(nth: number): Promise<string>;
  /** Sends a form of the panel. */
  form(path: string, fields: Record<string, string>): Promise<Response>;
}

export async function bootAccounts(options: BootOptions = {}): Promise<AccountSite> {
  const mail = await startMailServer();
  const url = String(options.settings?.site?.["url"] ?? SITE_URL);
  const smtp = { host: "127.0.0.1", port: mail.port, secure: false };
  const email = { provider: "smtp", from: "site@example.org", smtp };
  const site = await bootAdmin({
    plugins: [...adminPlugins, "email", "outbound"],
    ...options,
    settings: { ...options.settings, site: { url: SITE_URL, email, ...options.settings?.site } },
  });
  return {
    ...site,
    mail,
    linkOfMail: async (nth) => {
      await until(() => mail.received.length >= nth);
      const [, after = ""] = (mail.received[nth - 1]?.mail.text ?? "").split(url, 2);
      return /^\/\S+/.exec(after)?.[0] ?? "";
    },
    form: (path, fields) => form(site, path, fields),
    close: async () => {
      await site.close();
      await mail.close();
    },
  };
}

/** Sends a form as a browser does. */
export function form(
  site: Pick<AdminSite, "fetch">,
  path: string,
  fields: Record<string, string>,
): Promise<Response> {
  return site.fetch(path, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
    },
    body: new URLSearchParams(fields).toString(),
  });
}

/** The code that an authenticator app shows for a secret. */
export function codeOf(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** Makes an account need codes; resolves with its secret and recovery codes. */
export async function enableTotp(
  owner: AdminClient,
  now: number,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const path = "/admin/api/me/totp";
  const { secret } = await owner.json(201, "POST", path, { current: password });
  const code = codeOf(secret, now);
  const { recoveryCodes } = await owner.json(200, "POST", `${path}/confirm`, { code });
  return { secret, recoveryCodes };
}
