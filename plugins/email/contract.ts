/** What others may know of sending mail: the service, the contract of a mailer, the settings. */
import type { CreateHook } from "#kernel";

/** A mail as it goes out: addresses checked, one line where one line is meant. */
export interface OutgoingMail {
  /** The same at every attempt, for mailers that can recognise a repetition. */
  readonly id: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}
/**
 * Hands mail over. Throws when that fails: ERR_EMAIL_REFUSED when trying again is of no use,
 * anything else is tried again.
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
  /** Seconds after which it need not be sent any more; a day without it. */
  usefulSeconds?: number;
}
/** Texts of a mail; `{{key}}` stands for a value, escaped in `html`. */
export interface EmailTemplate {
  subject: string;
  text: string;
  html: string;
}
/** What fills a template. */
export interface TemplateMail {
  template: string;
  to: string | readonly string[];
  values: Readonly<Record<string, string>>;
  /** See `EmailMessage`. */
  usefulSeconds?: number;
}

/** Sends mail out of band: a slow or dead mail server is never felt by who asked. */
export interface EmailService {
  /**
   * Resolves when the mail is stored as a job of queue `mail`. Up to five attempts follow, also after a
   * restart. After a crash it may go out twice, with the same id.
   * @throws ERR_EMAIL_ADDRESS (400), ERR_JOBS_FULL (503).
   */
  send(message: EmailMessage): Promise<void>;
  /**
   * Sends a template: `emails/<name>.html` and `.txt` (whose first line may be `Subject: …`) of the
   * active theme or its nearest parent that has one of them, else the one of `addTemplate`. Throws
   * what `send` throws, ERR_EMAIL_TEMPLATE.
   */
  sendTemplate(mail: TemplateMail): Promise<void>;
  /** Offers a template; a theme's own comes before it. */
  addTemplate(name: string, template: EmailTemplate): void;
  /** One plain ASCII address in lower case, or null: what mail may be sent to. */
  parseAddress(value: unknown): string | null;
  /** Resolves when no mail is being sent or due; mail between two attempts does not count. */
  settled(): Promise<void>;
}
/** Payload of `onMailerCreate`. */
export interface MailerCreate {
  register(name: string, mailer: Mailer): void;
  /** Makes a registered mailer the one in use, whatever the config says. */
  activate(name: string): void;
  readonly settings: EmailSection | undefined;
}

/** `email.smtp`. */
export interface SmtpSection {
  host: string;
  port: number;
  /** True: TLS from the first byte; false: STARTTLS. */
  secure: boolean;
  user?: string | undefined;
  pass?: string | undefined;
}
/** A provider with an HTTP API. */
export interface HostedMailSection {
  apiKey: string;
  baseUrl?: string | undefined;
}
/** Section `email` of site.yaml; the block of the chosen provider is always there. */
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
    mailer: Mailer;
  }
  interface HookMap {
    onMailerCreate: CreateHook<MailerCreate>;
  }
  interface SiteSettings {
    /** Undefined: no mail is sent. */
    email: EmailSection | undefined;
  }
}
