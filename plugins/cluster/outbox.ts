/** Messages to other nodes, in order; they wait here while the transport is down. */
import { within } from "#kernel";
import type { Message, Transport, Version } from "./transport.js";

/** Messages that wait; above this one message replaces them, after which nodes read everything again. */
const MAX_WAITING = 1_000;
/** Longest wait for a message to be sent, in ms. It stays in the outbox. */
const LIMIT_MS = 1_000;

/** A message, or the name of an announcement that is complete. */
type Letter =
  | { readonly message: Message; readonly versions: readonly Version[] }
  | { readonly finished: string };

/** The outbox of a node. */
export class Outbox {
  readonly #transport: Pick<Transport, "send" | "finish">;
  #waiting: Letter[] = [];
  #sending: Promise<void> | null = null;

  constructor(transport: Pick<Transport, "send" | "finish">) {
    this.#transport = transport;
  }

  /** Messages that are not sent yet. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is sent, or after a second. */
  add(letter: Letter): Promise<void> {
    this.#waiting.push(letter);
    if (this.#waiting.length > MAX_WAITING && "message" in letter) {
      const { id, node } = letter.message;
      const isFinish = (one: Letter): boolean => "finished" in one;
      const message = { id, node, changes: null, tags: null };
      this.#waiting = [{ message, versions: [] }, ...this.#waiting.filter(isFinish)];
    }
    return this.settled();
  }

  /** Sends what waits; resolves when that is done, has failed, or takes longer than a second. */
  settled(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
    return within(LIMIT_MS, this.#sending, () => undefined);
  }

  async #send(): Promise<void> {
    for (;;) {
      const [letter] = this.#waiting;
      if (letter === undefined) return;
      try {
        if ("finished" in letter) await this.#transport.finish(letter.finished);
        else await this.#transport.send(letter.message, letter.versions);
      } catch {
        // The next heartbeat tries again.
        return;
      }
      if (this.#waiting[0] === letter) this.#waiting.shift();
    }
  }
}
