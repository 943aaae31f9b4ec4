import {
  closeCall,
  closeEngines,
  EngineError,
  engineFailureFields,
  type EngineSlot,
  expectKind,
  expectMethods,
  type SiteContext,
  SiteError,
} from "#kernel";
import { JobError } from "#lib/jobs";
import { canParseUrl } from "#lib/urls";
import type { Jobs } from "../jobs/contract.js";
import { oneLine, parseSender } from "./address.js";
import type { Mailer, OutgoingMail } from "./contract.js";
import { EmailFront, MAIL_QUEUE, queuedMail, type QueuedMail } from "./email-front.js";
import { ConsoleMailer, toLogLine } from "./engines/console.js";
import { HostedMailer, postmark, resend, sendgrid } from "./engines/hosted.js";
import { SmtpMailer } from "./engines/smtp.js";
import { Templates } from "./templates.js";

/** Registers what the plugin does in a site that starts. */
export function setUpEmail(site: SiteContext): void {
  const slot = site.engines.open("mailer", expectMethods(["send"], ["close"]), {
    send: { result: expectKind("anything"), limitMs: SEND_MS },
    close: closeCall,
  });
  registerMailers(site, slot);
  const jobs = site.use("jobs");
  const { clock } = site.runtime;
  defineMailQueue(site, jobs, slot);
  const themes = () => site.use("render", { optional: true })?.themes ?? [];
  const templates = new Templates(() => themes().map(({ folder }) => folder));
  site.provide("email", new EmailFront({ from: sender(site), jobs, templates, clock }));
  site.lifecycle.onReady(() => chooseMailer(site, slot));
  site.lifecycle.onClose(() => closeEngines(slot, site.log));
}

/** Delays between the end of a failed attempt and the next one, in ms. */
const DELAYS_MS = [1_000, 5_000, 25_000, 120_000];

const CONCURRENCY = 4;

/** How long an attempt waits for a mailer of a plugin, in ms. */
const SEND_MS = 60_000;

const MAX_WAITING = 1_000;

function defineMailQueue(
  { log, runtime: { clock } }: SiteContext,
  jobs: Jobs,
  slot: EngineSlot<Mailer>,
): void {
  jobs.define<QueuedMail>(MAIL_QUEUE, {
    payload: queuedMail,
    concurrency: CONCURRENCY,
    delaysMs: DELAYS_MS,
    maxWaiting: MAX_WAITING,
    runsUnstored: true,
    finishesOnClose: true,
    run: async ({ payload: { mail, expiresAt }, attempt }) => {
      // An expired link would only confuse its reader.
      if (expiresAt <= clock.now()) throw new JobError("it expired", { permanent: true });
      try {
        await slot.active.send(mail);
      } catch (error) {
        // The first failure of a mailer of a plugin: all attempts together take minutes.
        if (error instanceof EngineError)
          log.warn("email.mailer_failed", { id: mail.id, attempt, ...engineFailureFields(error) });
        throw new JobError(error instanceof Error ? error.message : String(error), {
          permanent: error instanceof SiteError && error.code === "ERR_EMAIL_REFUSED",
          cause: error,
        });
      }
      log.debug("email.sent", { id: mail.id, attempt });
    },
    onDead: ({ id, attempts, lastError }, error) =>
      log.error("email.failed", {
        id,
        attempts,
        ...engineFailureFields(error),
        error: lastError,
      }),
  });
}

function registerMailers(site: SiteContext, slot: EngineSlot<Mailer>): void {
  const { email } = site.settings.site;
  const outbound = site.use("outbound");
  const isJson = site.settings.system.logging.format === "json";
  const write = (text: string): void =>
    void process.stdout.write(isJson ? toLogLine(text, site.runtime.clock.now()) : text);
  slot.register("console", new ConsoleMailer(write));
  slot.register("none", { send: () => Promise.reject(notConfigured()) });
  const guarded = site.use("guardedHosts", { optional: true });
  const refusal = async (host: string): Promise<string | null> =>
    (await guarded?.refusal(host)) ?? null;
  if (email?.smtp) slot.register("smtp", new SmtpMailer({ ...email.smtp, refusal }));
  if (email?.resend)
    slot.register("resend", new HostedMailer(resend, { ...email.resend, outbound }));
  if (email?.postmark)
    slot.register("postmark", new HostedMailer(postmark, { ...email.postmark, outbound }));
  if (email?.sendgrid)
    slot.register("sendgrid", new HostedMailer(sendgrid, { ...email.sendgrid, outbound }));
}

async function chooseMailer(site: SiteContext, slot: EngineSlot<Mailer>): Promise<void> {
  const { email } = site.settings.site;
  await site.hooks.run("onMailerCreate", {
    register: (name, mailer) => slot.register(name, mailer),
    activate: (name) => slot.activate(name),
    settings: email,
  });
  const isDev = site.runtime.env.mode === "dev";
  // Without a block, mail is printed in dev and not sent in production.
  if (slot.activeName === null) slot.activate(email?.provider ?? (isDev ? "console" : "none"));
  if (slot.activeName === "console" && !isDev) {
    site.log.warn("email.console_in_production", {
      fix: "set email.provider: login links are written to standard output, where others may read them",
    });
  }
}

/** @throws ERR_EMAIL_FROM. */
function sender(site: SiteContext): OutgoingMail["from"] {
  const { email, title, url } = site.settings.site;
  if (!email?.from) {
    const host = canParseUrl(url) ? new URL(url).hostname : "localhost";
    return { name: oneLine(title), address: `noreply@${host}` };
  }
  const parsed = parseSender(email.from);
  if (parsed !== null) return parsed;
  throw new SiteError(
    "ERR_EMAIL_FROM",
    `email.from has the invalid value ${JSON.stringify(email.from)}`,
    {
      fix: "use an address, or Name <address>",
    },
  );
}

function notConfigured(): SiteError {
  return new SiteError("ERR_EMAIL_REFUSED", "mail is not configured", {
    fix: "add an email block to site.yaml",
  });
}
