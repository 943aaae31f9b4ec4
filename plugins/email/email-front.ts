import { randomUUID } from "node:crypto";
import { z } from "zod";
import { HttpError, type Clock } from "#kernel";
import { parseEmailAddress } from "#lib/text";
import type { Jobs } from "../jobs/contract.js";
import { oneLine } from "./address.js";
import type {
  EmailMessage,
  EmailService,
  EmailTemplate,
  OutgoingMail,
  TemplateMail,
} from "./contract.js";
import { fillTemplate, type Templates } from "./templates.js";

const DAY_SECONDS = 86_400;

/** Dependencies of the front. */
export interface FrontOptions {
  from: OutgoingMail["from"];
  jobs: Pick<Jobs, "add" | "idle">;
  clock: Clock;
  templates: Templates;
}

/** Mail as other plugins see it: validated, then queued. */
export class EmailFront implements EmailService {
  readonly #options: FrontOptions;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  async send(message: EmailMessage): Promise<void> {
    const { from, jobs, clock } = this.#options;
    const { to, subject, text, html, replyTo, usefulSeconds = DAY_SECONDS } = message;
    const mail = {
      id: randomUUID(),
      from,
      to: [to].flat().map(checkedAddress),
      replyTo: replyTo === undefined ? null : checkedAddress(replyTo),
      subject: oneLine(subject),
      text,
      html: html === undefined || html === "" ? null : html,
    };
    const expiresAt = clock.now() + usefulSeconds * 1000;
    await jobs.add<QueuedMail>(MAIL_QUEUE, { mail, expiresAt });
  }

  async sendTemplate({ template, to, values, usefulSeconds }: TemplateMail): Promise<void> {
    const { subject, text, html } = fillTemplate(
      await this.#options.templates.get(template),
      values,
    );
    await this.send({ to, subject, text, html, ...(usefulSeconds && { usefulSeconds }) });
  }

  addTemplate(name: string, template: EmailTemplate): void {
    this.#options.templates.add(name, template);
  }

  parseAddress(value: unknown): string | null {
    return parseEmailAddress(value);
  }

  settled(): Promise<void> {
    return this.#options.jobs.idle(MAIL_QUEUE);
  }
}

function checkedAddress(value: string): string {
  const address = parseEmailAddress(value);
  if (address !== null) return address;
  throw new HttpError(400, `${JSON.stringify(value.slice(0, 80))} is not an e-mail address`, {
    code: "ERR_EMAIL_ADDRESS",
  });
}

/** The job queue of mail. */
export const MAIL_QUEUE = "mail";

/** Payload of a mail job. It may contain login links: only the owner can read the job store. */
export interface QueuedMail {
  readonly mail: OutgoingMail;
  /** Unix ms; not sent after that. */
  readonly expiresAt: number;
}

/** Schema of a stored mail job's payload. */
export const queuedMail: z.ZodType<QueuedMail> = z.object({
  mail: z.object({
    id: z.string(),
    from: z.object({ name: z.string(), address: z.string() }),
    to: z.array(z.string()).min(1),
    replyTo: z.string().nullable(),
    subject: z.string(),
    text: z.string(),
    html: z.string().nullable(),
  }),
  expiresAt: z.number(),
});
