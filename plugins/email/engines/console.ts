import type { Mailer, OutgoingMail } from "../contract.js";

/** Prints mail to standard output, with working links, for developers. */
export class ConsoleMailer implements Mailer {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  async send({ from, to, subject, text }: OutgoingMail): Promise<void> {
    const head = [`From: ${from.address}`, `To: ${to.join(", ")}`, `Subject: ${subject}`];
    const rule = "-".repeat(72);
    this.#write(`${[rule, ...head, "", withoutControl(text).trimEnd(), rule].join("\n")}\n`);
  }
}

/**
 * Formats a mail as a JSON log line. It bypasses the logger, which would redact links with tokens.
 */
export function toLogLine(text: string, now: number): string {
  const time = new Date(now).toISOString();
  return `${JSON.stringify({ level: "info", time, text, event: "email.console" })}\n`;
}

/** Keeps line breaks and removes other control characters, which could manipulate a terminal. */
function withoutControl(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ");
}
