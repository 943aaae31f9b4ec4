import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "#kernel";
import { messageSchema, type Following, type Message } from "../transport.js";

/** Pause before the next connection, in ms. */
const PAUSE_MS = 200;

/** The place of a reader in the stream of messages. */
export class ReaderPosition {
  readonly #following: Following;
  readonly #log: Logger;
  /** The last message that was applied. */
  cursor: string;

  constructor(following: Following, log: Logger) {
    this.#following = following;
    this.#log = log;
    this.cursor = following.cursor;
  }

  /** Continues from `head`, because messages before it may have been missed. */
  async skipTo(head: string): Promise<void> {
    await this.#following.lost(head);
    this.cursor = head;
  }

  /** Applies a message. One of another version of Sitewright may have another form. */
  async take(text: string, cursor: string): Promise<void> {
    const message = parseMessage(text);
    if (message === null) this.#log.warn("cluster.message_invalid", { id: cursor });
    else await this.#following.take(message, cursor);
    this.cursor = cursor;
  }
}

/** Calls `read` until aborted: it connects, reads until the connection is lost, and throws. */
export async function keepReading(
  following: Following,
  log: Logger,
  read: (at: ReaderPosition) => Promise<void>,
): Promise<void> {
  const { signal } = following;
  const at = new ReaderPosition(following, log);
  while (!signal.aborted) {
    try {
      await read(at);
    } catch (error) {
      if (!signal.aborted) log.debug("cluster.read_failed", { error: String(error) });
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

function parseMessage(text: string): Message | null {
  try {
    return messageSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
