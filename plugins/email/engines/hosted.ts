import { SiteError } from "#kernel";
import type { HostedMailSection, Mailer, OutgoingMail } from "../contract.js";

const LIMIT_MS = 10_000;
/** Refusals that pass: a time-out, too early, too many requests. */
const PASSING = [408, 425, 429];

/** How one provider's API wants a mail. */
export interface HostedApi {
  name: string;
  baseUrl: string;
  path: string;
  headers(apiKey: string, mail: OutgoingMail): Record<string, string>;
  body(mail: OutgoingMail): Record<string, unknown>;
}

/** Mail through a provider's HTTP API. */
export class HostedMailer implements Mailer {
  readonly #api: HostedApi;
  readonly #section: HostedMailSection;
  readonly #limitMs: number;

  constructor(api: HostedApi, section: HostedMailSection, limitMs = LIMIT_MS) {
    this.#api = api;
    this.#section = section;
    this.#limitMs = limitMs;
  }

  async send(mail: OutgoingMail): Promise<void> {
    const { name, baseUrl, path, headers, body } = this.#api;
    const base = (this.#section.baseUrl ?? baseUrl).replace(/\/+$/, "");
    const response = await this.#post(base + path, {
      headers: headers(this.#section.apiKey, mail),
      body: JSON.stringify(body(mail)),
    });
    // The answer may repeat the key or the mail: only its status is looked at.
    await response.body?.cancel();
    if (response.ok) return;
    const { status } = response;
    const isFinal = status >= 400 && status < 500 && !PASSING.includes(status);
    throw new SiteError(
      isFinal ? "ERR_EMAIL_REFUSED" : "ERR_EMAIL_UNSENT",
      `${name} answered ${status}`,
    );
  }

  async #post(
    url: string,
    init: { headers: Record<string, string>; body: string },
  ): Promise<Response> {
    try {
      return await fetch(url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json",
          ...init.headers,
        },
        body: init.body,
        // A redirect would carry the key elsewhere.
        redirect: "error",
        signal: AbortSignal.timeout(this.#limitMs),
      });
    } catch (cause) {
      throw new SiteError("ERR_EMAIL_UNSENT", `${this.#api.name} does not answer`, { cause });
    }
  }
}

/** `Name <address>`, quoted; the bare address without a name. */
export function formatSender({ name, address }: OutgoingMail["from"]): string {
  return name === "" ? address : `"${name.replaceAll(/["\\]/g, "")}" <${address}>`;
}
