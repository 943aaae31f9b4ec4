/** Sending mail as other plugins see it: the service, the contract of a mailer, the settings. */
import type { CreateHook } from "#kernel";

/** A mail to send: addresses are validated, single-line fields have no line breaks. */
export interface OutgoingMail {
  /** The same for every attempt, for mailers that detect duplicates. */
  readonly id: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}
/**
 * Delivers mail.
 * @throws ERR_EMAIL_REFUSED when retrying is useless; any other error is retried.
 */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
  close?(): Promise<void>;
}

/** A mail to send. */
export interface EmailMessage {
  to: string | readonly string[];
  subject: string;
  text: string;
  html?: string;
  replyTo?: string;
  /** Seconds after which the mail expires; default: a day. */
  usefulSeconds?: number;
}
/** Texts of a mail; `{{key}}` is replaced with a value, escaped in `html`. */
export interface EmailTemplate {
  subject: string;
  text: string;
  html: string;
}
/** A mail from a template. */
export interface TemplateMail {
  template: string;
  to: string | readonly string[];
  values: Readonly<Record<string, string>>;
  /** See `EmailMessage`. */
  usefulSeconds?: number;
}

/**
 * Sends mail in the background: a slow or dead mail server never delays a request.
 *
 * @example
 * const email = site.use("email");
 * email.addTemplate("paid", { subject: "Paid: {{id}}", text: "Thank you!", html: "<p>Thank you!</p>" });
 * await email.sendTemplate({ template: "paid", to: "ada@example.com", values: { id: "A1" } });
 */
export interface EmailService {
  /**
   * Resolves when the mail is stored as a job in the queue `mail`. It has five attempts; a crash may send it twice, with the same id.
   * @throws ERR_EMAIL_ADDRESS (400), ERR_JOBS_FULL (503).
   */
  send(message: EmailMessage): Promise<void>;
  /**
   * Sends a template: `emails/<name>.html` and `.txt` (whose first line may be `Subject: …`) of the
   * active theme or its nearest parent that has one of them, else the one from `addTemplate`.
   * @throws what `send` throws, and ERR_EMAIL_TEMPLATE.
   */
  sendTemplate(mail: TemplateMail): Promise<void>;
  /** Registers a template; a theme's template takes precedence. */
  addTemplate(name: string, template: EmailTemplate): void;
  /** Normalises a plain ASCII address to lower case; null for anything that cannot receive mail. */
  parseAddress(value: unknown): string | null;
  /** Resolves when no mail is being sent or due; ignores mail waiting for a retry. */
  settled(): Promise<void>;
}
/** Payload of `onMailerCreate`. */
export interface MailerCreate {
  register(name: string, mailer: Mailer): void;
  /** Makes a registered mailer the active one, overriding the config. */
  activate(name: string): void;
  readonly settings: EmailSection | undefined;
}

/** `email.smtp`. */
export interface SmtpSection {
  host: string;
  port: number;
  /** True: TLS from the start; false: STARTTLS. */
  secure: boolean;
  user?: string | undefined;
  pass?: string | undefined;
}
/** A provider with an HTTP API. */
export interface HostedMailSection {
  apiKey: string;
  baseUrl?: string | undefined;
}
/** Section `email` of site.yaml; the block of the chosen provider is always set. */
export interface EmailSection {
  provider: "console" | "smtp" | "resend" | "postmark" | "sendgrid";
  /** An address, or `Name <address>`; empty for `console` only. */
  from: string;
  smtp?: SmtpSection | undefined;
  resend?: HostedMailSection | undefined;
  postmark?: HostedMailSection | undefined;
  sendgrid?: HostedMailSection | undefined;
}

declare module "#kernel" {
  interface Services {
    email: EmailService;
  }
  interface Engines {
    /**
     * Register a mailer in `onMailerCreate`.
     *
     * @example
     * site.hooks.on("onMailerCreate", ({ data }) => {
     *   const send = async (mail: object) => {
     *     const request = { method: "POST", body: JSON.stringify(mail) };
     *     const { status } = await site.use("outbound").request("https://mail.example/send", request);
     *     if (status !== 202) throw new Error(`mail.example returned ${status}`);
     *   };
     *   data.register("example", { send });
     * });
     */
    mailer: Mailer;
  }
  interface HookMap {
    /**
     * At startup: register a mailer for the slot `mailer`.
     *
     * @example
     * site.hooks.on("onMailerCreate", ({ data, log }) => {
     *   data.register("log", { send: async ({ id, subject }) => log.info("mail.sent", { id, subject }) });
     *   data.activate("log");
     * });
     */
    onMailerCreate: CreateHook<MailerCreate>;
  }
  interface SiteSettings {
    /** Undefined: mail is disabled. */
    email: EmailSection | undefined;
  }
}
