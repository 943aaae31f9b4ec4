import { setTimeout as delay } from "node:timers/promises";
import { HttpError, SiteError, type Clock, type Logger } from "#kernel";
import type { OutgoingMail } from "./contract.js";

/** Pauses before the second and each further attempt, in ms. */
const PAUSES = [1_000, 5_000, 25_000, 120_000] as const;
/** Mails that wait or are being tried. */
const LONGEST = 1_000;
const CONCURRENCY = 4;

/** A mail that waits. */
export interface QueuedMail {
  readonly mail: OutgoingMail;
  /** Unix ms, from when on it is of no use to anybody. */
  readonly expiresAt: number;
}
/** Keeps what waits through a restart. */
export interface Outbox {
  keep(queued: QueuedMail): Promise<void>;
  drop(id: string): Promise<void>;
}
/** What a queue needs. */
export interface QueueOptions {
  send(mail: OutgoingMail): Promise<void>;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  pausesMs?: readonly number[];
  longest?: number;
}

/**
 * Mails on their way: a few at a time, tried again with growing pauses, never more than so many. Each
 * is in the outbox until it is sent or given up.
 */
export class MailQueue {
  readonly #options: QueueOptions;
  readonly #waiting: QueuedMail[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #pausing = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** Mails that are being written down. */
  readonly #arriving = new Set<Promise<void>>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Resolves when the mail is kept and on its way. @throws ERR_EMAIL_QUEUE_FULL (503). */
  async add(queued: QueuedMail): Promise<void> {
    if (this.length >= (this.#options.longest ?? LONGEST)) {
      throw new HttpError(503, "too many mails are waiting to be sent", {
        code: "ERR_EMAIL_QUEUE_FULL",
        headers: { "Retry-After": "60" },
      });
    }
    const arrival = this.#options.outbox.keep(queued).finally(() => {
      this.#arriving.delete(arrival);
      this.resume([queued]);
    });
    this.#arriving.add(arrival);
    await arrival;
  }

  /** Takes on mails that are kept already. */
  resume(left: readonly QueuedMail[]): void {
    this.#waiting.push(...left);
    this.#next();
  }

  /** Mails that are written down, wait, are tried or pause. */
  get length(): number {
    const held = this.#waiting.length + this.#running.size + this.#pausing.size;
    return held + this.#arriving.size;
  }

  /** Resolves when no mail waits, is tried, or pauses. */
  async settled(): Promise<void> {
    while (this.#arriving.size + this.#running.size + this.#pausing.size > 0) {
      await Promise.all([...this.#arriving, ...this.#running, ...this.#pausing]);
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
    const left = this.length;
    if (left > 0) this.#options.log.warn("email.left_for_next_start", { count: left });
  }

  #next(): void {
    while (this.#running.size < CONCURRENCY) {
      const queued = this.#waiting.shift();
      if (queued === undefined) return;
      this.#start(queued, 0);
    }
  }

  #start(queued: QueuedMail, attempt: number): void {
    const run = this.#attempt(queued, attempt).then(() => {
      this.#running.delete(run);
      this.#next();
    });
    this.#running.add(run);
  }

  async #attempt(queued: QueuedMail, attempt: number): Promise<void> {
    const { log, send, clock, outbox } = this.#options;
    const { mail, expiresAt } = queued;
    try {
      // A link that has ended would only puzzle who gets it.
      if (expiresAt <= clock.now()) throw new SiteError("ERR_EMAIL_REFUSED", "it waited too long");
      await send(mail);
      log.debug("email.sent", { id: mail.id, attempt: attempt + 1 });
      await outbox.drop(mail.id);
    } catch (error) {
      await this.#failed(queued, attempt, error);
    }
  }

  async #failed(queued: QueuedMail, attempt: number, error: unknown): Promise<void> {
    const { log, outbox } = this.#options;
    const { id } = queued.mail;
    const pauseMs = (this.#options.pausesMs ?? PAUSES)[attempt];
    const fields = { id, attempt: attempt + 1, error: describe(error) };
    if (isPermanent(error) || pauseMs === undefined) {
      log.error("email.failed", fields);
      await outbox.drop(id);
    } else if (this.#closing.signal.aborted) {
      // Nobody waits for a pause once the site closes: the outbox has it for the next start.
      log.warn("email.delayed", fields);
    } else {
      log.warn("email.delayed", { ...fields, retryInMs: pauseMs });
      this.#pause(queued, { attempt: attempt + 1, pauseMs });
    }
  }

  #pause(queued: QueuedMail, { attempt, pauseMs }: { attempt: number; pauseMs: number }): void {
    const pause = delay(pauseMs, undefined, { signal: this.#closing.signal })
      .catch(() => undefined)
      .then(() => {
        this.#pausing.delete(pause);
        this.#start(queued, attempt);
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
