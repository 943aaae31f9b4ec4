/** What others may know of sending mail: its settings. */

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
  interface SiteSettings {
    /** Undefined: no mail is sent. */
    email: EmailSection | undefined;
  }
}
