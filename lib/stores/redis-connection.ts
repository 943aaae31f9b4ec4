import type { createClient } from "redis";
import { loadOptional } from "#lib/packages";

/** A client of the package redis. */
export type RedisClient = ReturnType<typeof createClient>;

/** Longest pause between reconnection attempts, in ms. */
const RECONNECT_MS = 1_000;

/**
 * The one connection to a Redis server. Loads the package and connects on first use. While Redis is
 * down, commands fail immediately instead of queueing, and it reconnects by itself.
 */
export class RedisConnection {
  readonly #url: string;
  readonly #onError: (error: unknown) => void;
  #connecting: Promise<RedisClient> | null = null;

  /** `onError` gets the errors of the connection, also those of each attempt to reconnect. */
  constructor(url: string, onError: (error: unknown) => void) {
    this.#url = url;
    this.#onError = onError;
  }

  /** The client, once it has connected or failed to for the first time. */
  client(): Promise<RedisClient> {
    if (this.#connecting === null) {
      this.#connecting = this.#open();
      this.#connecting.catch(() => (this.#connecting = null));
    }
    return this.#connecting;
  }

  async close(): Promise<void> {
    const connecting = this.#connecting;
    this.#connecting = null;
    const client = await connecting?.catch(() => null);
    if (client?.isOpen === true) client.destroy();
  }

  async #open(): Promise<RedisClient> {
    const { createClient: create } = await loadOptional(() => import("redis"), {
      plugin: "redis",
      packages: ["redis"],
      neededBy: "SITE_REDIS_URL",
    });
    const client: RedisClient = create({
      url: this.#url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: 1_000,
        reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MS),
      },
    });
    // Without a listener, a lost connection would end the process.
    client.on("error", this.#onError);
    // Resolves with the first connection; keeps trying until then.
    client.connect().catch(this.#onError);
    await ready(client);
    return client;
  }
}

/** Resolves when the client is connected or has failed once; until connected, calls fail fast. */
function ready(client: RedisClient): Promise<void> {
  return new Promise((resolve) => {
    client.once("ready", () => resolve());
    client.once("error", () => resolve());
  });
}
