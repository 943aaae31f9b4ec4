import { setTimeout as delay } from "node:timers/promises";
import { HttpError, SiteError, type Logger } from "#kernel";
import type { OutgoingMail } from "./contract.js";

/** Pauses before the second and each further attempt, in ms. */
const PAUSES = [1_000, 5_000, 25_000, 120_000] as const;
/** Mails that wait or are being tried. */
const LONGEST = 1_000;
const CONCURRENCY = 4;

/** What a queue needs. */
export interface QueueOptions {
  send(mail: OutgoingMail): Promise<void>;
  log: Logger;
  pausesMs?: readonly number[];
  longest?: number;
}

/** Mails on their way: a few at a time, tried again with growing pauses, never more than so many. */
export class MailQueue {
  readonly #options: QueueOptions;
  readonly #waiting: OutgoingMail[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #pausing = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** @throws ERR_EMAIL_QUEUE_FULL (503). */
  add(mail: OutgoingMail): void {
    if (this.length >= (this.#options.longest ?? LONGEST)) {
      throw new HttpError(503, "too many mails are waiting to be sent", {
        code: "ERR_EMAIL_QUEUE_FULL",
        headers: { "Retry-After": "60" },
      });
    }
    this.#waiting.push(mail);
    this.#next();
  }

  /** Mails that wait, are tried or pause. */
  get length(): number {
    return this.#waiting.length + this.#running.size + this.#pausing.size;
  }

  /** Resolves when no mail waits, is tried, or pauses. */
  async settled(): Promise<void> {
    while (this.#running.size + this.#pausing.size > 0) {
      await Promise.all([...this.#running, ...this.#pausing]);
    }
  }

  /** Tries what is left once more, at once, and resolves when that is done or `limitMs` are over. */
  async close(limitMs: number): Promise<void> {
    this.#closing.abort();
    const late = new AbortController();
    await Promise.race([
      this.settled(),
      delay(limitMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    const lost = this.#waiting.length + this.#running.size + this.#pausing.size;
    if (lost > 0) this.#options.log.error("email.lost_at_close", { count: lost });
  }

  #next(): void {
    while (this.#running.size < CONCURRENCY) {
      const mail = this.#waiting.shift();
      if (mail === undefined) return;
      this.#start(mail, 0);
    }
  }

  #start(mail: OutgoingMail, attempt: number): void {
    const run = this.#attempt(mail, attempt).then(() => {
      this.#running.delete(run);
      this.#next();
    });
    this.#running.add(run);
  }

  async #attempt(mail: OutgoingMail, attempt: number): Promise<void> {
    const { log, send } = this.#options;
    try {
      await send(mail);
      log.debug("email.sent", { id: mail.id, attempt: attempt + 1 });
    } catch (error) {
      const pauseMs = (this.#options.pausesMs ?? PAUSES)[attempt];
      const isFinal = isPermanent(error) || pauseMs === undefined;
      const fields = { id: mail.id, attempt: attempt + 1, error: describe(error) };
      if (isFinal) log.error("email.failed", fields);
      else {
        log.warn("email.delayed", { ...fields, retryInMs: pauseMs });
        this.#pause(mail, { attempt: attempt + 1, pauseMs });
      }
    }
  }

  #pause(mail: OutgoingMail, { attempt, pauseMs }: { attempt: number; pauseMs: number }): void {
    // Nobody waits for a pause once the site closes, and no second one begins.
    const isClosing = this.#closing.signal.aborted;
    if (isClosing) {
      this.#options.log.error("email.failed", { id: mail.id, attempt, error: "the site closes" });
      return;
    }
    const pause = delay(pauseMs, undefined, { signal: this.#closing.signal })
      .catch(() => undefined)
      .then(() => {
        this.#pausing.delete(pause);
        this.#start(mail, attempt);
      });
    this.#pausing.add(pause);
  }
}

function isPermanent(error: unknown): boolean {
  return error instanceof SiteError && error.code === "ERR_EMAIL_REFUSED";
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
