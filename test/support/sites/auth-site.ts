import { setTimeout } from "node:timers/promises";
import { definePlugin, type Clock, type Logger, type Plugin } from "#kernel";
import type { Mailer, OutgoingMail } from "../../../plugins/email/contract.js";
import { MemoryRateLimit } from "../../../plugins/security/engines/memory.js";
import { bootSite, type BootOptions, type TestSite } from "./boot-site.js";
import { Browser } from "../browsers/browser.js";

/** The configured address of the site, not the one that browsers of these tests use. */
export const SITE_URL = "http://site.example:8000";

/** Plugins of a site with visitors. */
export const AUTH_PLUGINS = ["auth", "email", "pages", "render", "media", "cache", "search"];

/** A site with an `auth` block, a mailbox and a recorded log. */
export interface AuthSite extends TestSite {
  mails: OutgoingMail[];
  log: string[];
  browser(): Browser;
  /** The link of the last mail. */
  link(): URL;
  /** Resolves with the link of the mail sent for this request. */
  linkFor(body: Record<string, unknown>, headers?: Record<string, string>): Promise<URL>;
  /** A browser logged in by a link from a mail. */
  loggedIn(email: string): Promise<Browser>;
}

/** Options of a site with an `auth` block. */
export interface AuthOptions extends BootOptions {
  /** Sends the mails; default: the mailbox. */
  mailer?: Mailer;
}

/** Boots a site with this `auth` block. */
export async function bootAuthSite(
  auth: Record<string, unknown> | undefined,
  { mailer: given, ...options }: AuthOptions = {},
): Promise<AuthSite> {
  const mails: OutgoingMail[] = [];
  const log: string[] = [];
  const mailer = given ?? { send: async (mail: OutgoingMail) => void mails.push(mail) };
  const site = await bootSite({
    plugins: AUTH_PLUGINS,
    log: recordingLog(log),
    ...options,
    settings: {
      ...options.settings,
      site: { url: SITE_URL, ...(auth && { auth }), ...options.settings?.site },
    },
    extraPlugins: [
      {
        name: "mailbox",
        version: "1.0.0",
        hooks: {
          onMailerCreate: ({ data }) => {
            data.register("mailbox", mailer);
            data.activate("mailbox");
          },
        },
      },
      ...(options.extraPlugins ?? []),
    ],
  });
  const browser = (): Browser => new Browser({ [SITE_URL]: site.url });
  const link = (): URL => {
    const found = /http:\/\/\S+\/auth\/magic\?token=\S+/.exec(mails.findLast(isLink)?.text ?? "");
    return new URL(found?.[0] ?? "http://no.link");
  };
  const linkFor: AuthSite["linkFor"] = async (body, headers) => {
    const sent = (): number => mails.filter(isLink).length;
    const before = sent();
    const res = await askForLink(site, body, headers);
    if (res.status !== 200) throw new Error(`no link was sent: ${res.status}`);
    // Mail is sent after the response.
    for (let tries = 0; sent() === before && tries < 2_000; tries += 1) await setTimeout(5);
    return link();
  };
  return {
    ...site,
    linkFor,
    mails,
    log,
    browser,
    link,
    loggedIn: async (email) => {
      const visitor = browser();
      await visitor.go(await linkFor({ email }));
      return visitor;
    },
  };
}

/** Mails about accounts are sent beside those with links. */
function isLink({ text }: OutgoingMail): boolean {
  return text.includes("/auth/magic?token=");
}

/** Counts requests by this clock, so that a test can end the windows of limits. */
export function limitsBy(clock: Clock): Plugin {
  return definePlugin({
    name: "limits-by-clock",
    version: "1.0.0",
    requires: ["security"],
    setup({ engines }) {
      const slot = engines.slot("rateLimit");
      slot.register("by-clock", new MemoryRateLimit(() => clock.now()));
      slot.activate("by-clock");
    },
  });
}

/** Posts an address to `/auth/magic/send` as JSON. */
export function askForLink(
  site: Pick<TestSite, "fetch">,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return site.fetch("/auth/magic/send", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

function recordingLog(lines: string[]): Logger {
  const at = (event: string, fields: Record<string, unknown> = {}): void => {
    lines.push(`${event} ${JSON.stringify(fields)}`);
  };
  const log: Logger = { debug: at, info: at, warn: at, error: at, child: () => log };
  return log;
}
