import type { Client } from "pg";
import { createPostgresClient } from "./postgres-pool.js";

/** Interval of attempts to listen again after the connection was lost, in ms. */
const RELISTEN_MS = 500;
/** Interval of checks of the connection, and the time limit of a reply, in ms. */
const PROBE_MS = 2_500;

/** What to listen to. */
export interface NotificationOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  readonly channel: string;
  /** Gets the text of a notification; null each time that some may have been missed, also at first. */
  onMessage(message: string | null): void;
}

/** Listens to a channel of PostgreSQL on a connection of its own, and connects again after it was lost. */
export class Notifications {
  readonly #options: NotificationOptions;
  #client: Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: NotificationOptions) {
    this.#options = options;
  }

  /** Resolves after the first attempt to connect; the others follow in the background. */
  async open(): Promise<void> {
    if (this.#isClosed) return;
    const client = await this.#connect().catch(() => null);
    if (client === null && !this.#isClosed) {
      this.#timer = setTimeout(() => void this.open(), RELISTEN_MS).unref();
    }
  }

  async #connect(): Promise<Client> {
    const { url, channel, onMessage } = this.#options;
    const client = await createPostgresClient({ url, statementMs: PROBE_MS });
    this.#client = client;
    let probe: NodeJS.Timeout | null = null;
    let isListening = false;
    const lost = (): void => {
      if (probe !== null) clearInterval(probe);
      if (this.#client !== client) return;
      this.#client = null;
      void client.end().catch(() => undefined);
      // While it connects, `open` tries again.
      if (isListening) void this.open();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload = "" }) => onMessage(payload));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      lost();
      throw error;
    }
    isListening = true;
    probe = setInterval(() => void client.query("select 1").catch(lost), PROBE_MS).unref();
    onMessage(null);
    return client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }
}
