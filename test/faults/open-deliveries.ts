// Deliveries that are under way on a node when it ends, and when another node has repeated them.
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ReceivedHook, Receiver } from "../support/servers/webhook-receiver.js";

/** For the end of connections of a process that was killed. */
const CLOSING_MS = 100;

/** Gives no response until `release`. */
export class OpenDeliveries {
  readonly #receiver: Receiver;
  readonly #held = new Map<ServerResponse, string>();
  readonly #answer: Receiver["answer"];
  /** Ids of deliveries whose sender ended. */
  #owed: ReadonlySet<string> = new Set();
  #releasedAt = 0;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
    this.#answer = receiver.answer;
    receiver.answer = (res, nth) => {
      const hook = receiver.received[nth - 1];
      if (hook !== undefined) this.#held.set(res, idOf(hook));
    };
  }

  /** Responds to all senders that have not ended, and to everything later. */
  async release(): Promise<void> {
    const { received } = this.#receiver;
    this.#receiver.answer = this.#answer;
    this.#releasedAt = Date.now();
    await delay(CLOSING_MS);
    const open = [...this.#held].filter(([res]) => !res.destroyed);
    for (const [res] of open) this.#answer(res, received.length);
    const answered = new Set(open.map(([, id]) => id));
    this.#owed = new Set([...this.#held.values()].filter((id) => !answered.has(id)));
  }

  /** From `release` until the last of what ended nodes owed was delivered, in ms; null: they owed nothing. */
  takenOver(): number | null {
    if (this.#owed.size === 0) return null;
    const later = this.#receiver.received.filter(({ at }) => at >= this.#releasedAt);
    const times = [...this.#owed].map((id) => later.find((hook) => idOf(hook) === id)?.at);
    return Math.max(...times.map((at) => at ?? Infinity)) - this.#releasedAt;
  }
}

function idOf({ headers }: ReceivedHook): string {
  return String(headers["webhook-id"]);
}
