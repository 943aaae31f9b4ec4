import { SiteError } from "#kernel";
import type { OutboundAnswer, OutboundService } from "../../outbound/contract.js";
import type { HostedMailSection, Mailer, OutgoingMail } from "../contract.js";

const LIMIT_MS = 10_000;
/** Temporary errors: time-out, too early, too many requests. */
const PASSING = [408, 425, 429];

/** The API of a provider. */
export interface HostedApi {
  name: string;
  baseUrl: string;
  path: string;
  headers(apiKey: string, mail: OutgoingMail): Record<string, string>;
  body(mail: OutgoingMail): Record<string, unknown>;
}

/** Options of a mailer over HTTP. */
export interface HostedOptions extends HostedMailSection {
  readonly outbound: Pick<OutboundService, "request">;
  /** Time limit of a request, in ms. */
  readonly limitMs?: number;
}

/** Mail through a provider's HTTP API. */
export class HostedMailer implements Mailer {
  readonly #api: HostedApi;
  readonly #options: HostedOptions;

  constructor(api: HostedApi, options: HostedOptions) {
    this.#api = api;
    this.#options = options;
  }

  async send(mail: OutgoingMail): Promise<void> {
    const { name, baseUrl, path, headers, body } = this.#api;
    const base = (this.#options.baseUrl ?? baseUrl).replace(/(?<!\/)\/+$/, "");
    // Only check the status: the response may contain the key or the mail. A redirect counts as a
    // failure, because it would send the key elsewhere.
    const { status } = await this.#post(
      base + path,
      headers(this.#options.apiKey, mail),
      JSON.stringify(body(mail)),
    );
    if (status >= 200 && status < 300) return;
    const isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
    throw new SiteError(
      isFinal ? "ERR_EMAIL_REFUSED" : "ERR_EMAIL_UNSENT",
      `${name} answered ${status}`,
    );
  }

  async #post(url: string, headers: Record<string, string>, body: string): Promise<OutboundAnswer> {
    try {
      return await this.#options.outbound.request(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
        body,
        timeoutMs: this.#options.limitMs ?? LIMIT_MS,
        overflow: "discard",
        policy: "operator",
      });
    } catch (cause) {
      throw new SiteError("ERR_EMAIL_UNSENT", `${this.#api.name} does not respond`, { cause });
    }
  }
}

/** `Name <address>` with quoted name; the bare address without a name. */
export function formatSender({ name, address }: OutgoingMail["from"]): string {
  return name === "" ? address : `"${name.replaceAll(/["\\]/g, "")}" <${address}>`;
}

/** https://postmarkapp.com */
export const postmark: HostedApi = {
  name: "postmark",
  baseUrl: "https://api.postmarkapp.com",
  path: "/email",
  headers: (apiKey) => ({ "X-Postmark-Server-Token": apiKey }),
  body: ({ from, to, replyTo, subject, text, html }) => ({
    From: formatSender(from),
    To: to.join(", "),
    Subject: subject,
    TextBody: text,
    ...(html === null ? {} : { HtmlBody: html }),
    ...(replyTo === null ? {} : { ReplyTo: replyTo }),
  }),
};

/** https://resend.com */
export const resend: HostedApi = {
  name: "resend",
  baseUrl: "https://api.resend.com",
  path: "/emails",
  headers: (apiKey, { id }) => ({ Authorization: `Bearer ${apiKey}`, "Idempotency-Key": id }),
  body: ({ from, to, replyTo, subject, text, html }) => ({
    from: formatSender(from),
    to,
    subject,
    text,
    ...(html === null ? {} : { html }),
    ...(replyTo === null ? {} : { reply_to: replyTo }),
  }),
};

/** https://sendgrid.com */
export const sendgrid: HostedApi = {
  name: "sendgrid",
  baseUrl: "https://api.sendgrid.com",
  path: "/v3/mail/send",
  headers: (apiKey) => ({ Authorization: `Bearer ${apiKey}` }),
  body: ({ from, to, replyTo, subject, text, html }) => ({
    from: { email: from.address, ...(from.name === "" ? {} : { name: from.name }) },
    personalizations: [{ to: to.map((email) => ({ email })) }],
    subject,
    // The API requires the plain part first.
    content: [
      { type: "text/plain", value: text },
      ...(html === null ? [] : [{ type: "text/html", value: html }]),
    ],
    ...(replyTo === null ? {} : { reply_to: { email: replyTo } }),
  }),
};
