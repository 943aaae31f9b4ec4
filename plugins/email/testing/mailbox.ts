import type { Plugin } from "#kernel";
import type { Mailer, OutgoingMail } from "../contract.js";

/** How long `next` waits for a mail, in ms. */
const PATIENCE_MS = 5_000;

/** Collects the mail sent by a test site. */
export class Mailbox implements Mailer {
  /** In the order of sending. */
  readonly mails: OutgoingMail[] = [];
  readonly #deliver: (mail: OutgoingMail) => Promise<void> | void;
  readonly #waiting = new Set<() => void>();

  /** `deliver` is called before a mail is stored; the mailer rethrows its errors. */
  constructor(deliver: (mail: OutgoingMail) => Promise<void> | void = () => undefined) {
    this.#deliver = deliver;
  }

  /** The newest mail. */
  get last(): OutgoingMail | undefined {
    return this.mails.at(-1);
  }

  /** The mails to one address. */
  to(address: string): readonly OutgoingMail[] {
    return this.mails.filter(({ to }) => to.includes(address));
  }

  /** Resolves with the next mail: mail is sent after the response. */
  async next(count = this.mails.length): Promise<OutgoingMail> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const mail = this.mails[count];
      if (mail !== undefined) return mail;
      const left = until - performance.now();
      if (left <= 0) throw new Error(`no mail within ${PATIENCE_MS} ms; ${count} were sent before`);
      await this.#arrival(left);
    }
  }

  async send(mail: OutgoingMail): Promise<void> {
    await this.#deliver(mail);
    this.mails.push(mail);
    const waiting = [...this.#waiting];
    for (const wake of waiting) wake();
  }

  #arrival(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake(), ms);
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }
}

/**
 * The plugin `email` with this mailbox as its active mailer, overriding the configuration. A plugin
 * under test may still activate its own.
 */
export function withMailbox(email: Plugin, mailbox: Mailbox): Plugin {
  return {
    ...email,
    hooks: {
      ...email.hooks,
      onMailerCreate: ({ data }) => {
        data.register("mailbox", { send: (mail) => mailbox.send(mail) });
        data.activate("mailbox");
      },
    },
  };
}
