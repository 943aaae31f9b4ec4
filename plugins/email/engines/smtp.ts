import type { Transporter } from "nodemailer";
import { SiteError } from "#kernel";
import type { Mailer, OutgoingMail, SmtpSection } from "../contract.js";

/** Time limits in ms: connecting, greeting, each response. */
const CONNECT_MS = 5_000;
const GREETING_MS = 5_000;
const ANSWER_MS = 10_000;
const CONNECTIONS = 4;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Options of a mailer over SMTP. */
export interface SmtpOptions extends SmtpSection {
  /** Certificates to trust beside the system's. */
  ca?: string;
  /** The reason why the server must not be called; null when it may. Default: it may. */
  refusal?(host: string): Promise<string | null>;
  timeoutMs?: number;
}

/**
 * Mail over SMTP with nodemailer. Without `secure`, STARTTLS upgrades the connection to TLS. Only a
 * server on this machine, without a login, may skip TLS or use a self-signed certificate.
 */
export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;
  #connecting: Promise<Transporter> | null = null;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  async send(mail: OutgoingMail): Promise<void> {
    const transporter = await this.#transporter();
    const { id, from, to, replyTo, subject, text, html } = mail;
    try {
      await transporter.sendMail({
        messageId: `<${id}@${from.address.split("@")[1]}>`,
        from,
        to: [...to],
        subject,
        text,
        ...(html === null ? {} : { html }),
        ...(replyTo === null ? {} : { replyTo }),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      throw asMailError(error, this.#options);
    }
  }

  /** Connects, logs in and sends nothing. @throws ERR_EMAIL_REFUSED, ERR_EMAIL_UNSENT. */
  async verify(): Promise<void> {
    const transporter = await this.#transporter();
    await transporter.verify().catch((error: unknown) => {
      throw asMailError(error, this.#options);
    });
  }

  /** @throws ERR_EMAIL_UNSENT for a server that must not be called. */
  async #transporter(): Promise<Transporter> {
    const { host, refusal } = this.#options;
    const refused = (await refusal?.(host)) ?? null;
    if (refused !== null) throw new SiteError("ERR_EMAIL_UNSENT", `the mail server: ${refused}`);
    this.#connecting ??= createTransporter(this.#options);
    return this.#connecting;
  }

  async close(): Promise<void> {
    (await this.#connecting)?.close();
    this.#connecting = null;
  }
}

async function createTransporter(options: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { host, port, secure, user, pass, ca, timeoutMs } = options;
  const isLocal = user === undefined && LOOPBACK.test(host);
  return createTransport({
    host,
    port,
    secure,
    requireTLS: !secure && !isLocal,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: timeoutMs ?? CONNECT_MS,
    greetingTimeout: timeoutMs ?? GREETING_MS,
    socketTimeout: timeoutMs ?? ANSWER_MS,
    ...(user === undefined ? {} : { auth: { user, pass: pass ?? "" } }),
    tls: {
      minVersion: "TLSv1.2",
      rejectUnauthorized: !isLocal,
      ...(ca === undefined ? {} : { ca }),
    },
  });
}

/** Status 5xx and rejected logins are permanent; the server's message is not passed on. */
function asMailError(error: unknown, options: SmtpOptions): SiteError {
  const fields = typeof error === "object" && error !== null ? error : {};
  const reported = "code" in fields ? String(fields.code) : "no response";
  const answered = "responseCode" in fields ? fields.responseCode : null;
  const status = typeof answered === "number" && answered > 0 ? answered : null;
  const isFinal = reported === "EAUTH" || (status !== null && status >= 500);
  const code = isFinal ? "ERR_EMAIL_REFUSED" : "ERR_EMAIL_UNSENT";
  if (status !== null) {
    const message = `the mail server rejected the mail: status ${status}`;
    return new SiteError(code, message, { cause: error });
  }
  const message = error instanceof Error ? error.message : "";
  const failure = describeFailure(reported, message, options);
  return new SiteError(code, `the mail server ${failure}`, { cause: error, fix: UNREACHED });
}

const UNREACHED =
  "check host, port and secure of email.smtp, that the server runs, and that no firewall blocks the port";

/** What went wrong without a status, as the end of a sentence. */
function describeFailure(reported: string, message: string, { timeoutMs }: SmtpOptions): string {
  switch (reported) {
    case "ETIMEDOUT": {
      const isConnecting = /^(?:connection timeout|greeting)/i.test(message);
      const ms = timeoutMs ?? (isConnecting ? CONNECT_MS : ANSWER_MS);
      return `did not respond within ${ms / 1_000} seconds`;
    }
    case "EDNS":
      return "has a name that cannot be resolved";
    case "ETLS":
      return "offers no valid TLS";
    case "EAUTH":
      return "rejected the login";
    default:
      return `cannot be reached: ${reported}`;
  }
}
