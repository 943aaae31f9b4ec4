import type { Mailer, OutgoingMail } from "../contract.js";

/** Writes mail out for whoever runs the site to read; links in it work. */
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

/** A mail between log lines of JSON; not through the log, which leaves no link with a token whole. */
export function toLogLine(text: string, now: number): string {
  const time = new Date(now).toISOString();
  return `${JSON.stringify({ level: "info", time, text, event: "email.console" })}\n`;
}

/** Keeps line breaks; nothing else may steer a terminal. */
function withoutControl(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ");
}
