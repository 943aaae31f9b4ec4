import type { createClient } from "redis";
import { loadOptional } from "#lib/packages";
import type { HttpError } from "#lib/errors";
import { within } from "#lib/concurrency";
import { CircuitBreaker, type StoreState } from "#lib/stores";

/** A client of the package redis. */
export type RedisClient = ReturnType<typeof createClient>;

/**
 * Longest wait for a connection, in ms. On a busy machine the process may learn of it late; calls have limits of their
 * own.
 */
const CONNECT_MS = 10_000;
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
  #client: RedisClient | null = null;

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

  /** Does not wait for a server that accepts the connection and does not respond. */
  async close(): Promise<void> {
    const connecting = this.#connecting;
    this.#connecting = null;
    // Absent while the package loads.
    const client = this.#client ?? (await connecting?.catch(() => null)) ?? null;
    this.#client = null;
    if (client?.isOpen === true) client.destroy();
  }

  async #open(): Promise<RedisClient> {
    const { createClient: create } = await loadOptional(() => import("redis"), {
      plugin: "session",
      packages: ["redis"],
      neededBy: "SITE_REDIS_URL",
    });
    const client: RedisClient = create({
      url: this.#url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MS),
      },
    });
    this.#client = client;
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
    client.once("end", () => resolve());
  });
}

/** Longest wait for a response, in ms. */
const LIMIT_MS = 1_000;
/** Pause after failures before Redis is tried again, in ms. */
const PAUSE_MS = 500;
const FAILURES = 2;

/** Dependencies of `RedisCalls`. */
interface RedisCallsOptions {
  /** `redis://…`. */
  readonly url: string;
  /** Gets each error of a connection. */
  onError(error: unknown): void;
  /** The 503 while Redis is down. */
  toError(cause?: unknown): HttpError;
  /** Called when Redis goes down, and when it is back. */
  onChange?(state: StoreState): void;
}

/** Calls of Redis that fail fast: none waits longer than a second. */
export class RedisCalls {
  readonly #options: RedisCallsOptions;
  readonly #breaker = new CircuitBreaker({
    failures: FAILURES,
    pauseMs: PAUSE_MS,
    now: () => performance.now(),
  });
  #connection: RedisConnection;
  #isClosed = false;
  #lastError: unknown = null;

  constructor(options: RedisCallsOptions) {
    this.#options = options;
    this.#connection = this.#open();
  }

  /** True from repeated failures until a success. */
  get isDown(): boolean {
    return this.#breaker.isTripped;
  }

  /** Why the connection failed last; null before the first failure. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** @throws what `toError` returns when Redis fails or does not respond in time. */
  async run<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    const { toError } = this.#options;
    if (this.#isClosed || this.#breaker.isOpen) throw toError();
    const connection = this.#connection;
    try {
      const working = connection.client().then(work);
      const result = await within(LIMIT_MS, working, () => {
        // A call whose caller has given up must not run later.
        this.#drop(connection);
        throw new Error(`no response within ${LIMIT_MS} ms`);
      });
      this.#succeeded();
      return result;
    } catch (error) {
      this.#failed(error);
      throw toError(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    void this.#connection.close();
  }

  #succeeded(): void {
    const wasDown = this.#breaker.isTripped;
    this.#breaker.succeeded();
    if (wasDown) this.#options.onChange?.({ isDown: false, error: null });
  }

  #failed(error: unknown): void {
    const wasDown = this.#breaker.isTripped;
    this.#breaker.failed();
    if (wasDown || !this.#breaker.isTripped || this.#isClosed) return;
    this.#options.onChange?.({ isDown: true, error: this.#lastError ?? error });
  }

  #open(): RedisConnection {
    return new RedisConnection(this.#options.url, (error) => {
      this.#lastError = error;
      this.#options.onError(error);
    });
  }

  #drop(connection: RedisConnection): void {
    if (this.#connection === connection) this.#connection = this.#open();
    void connection.close();
  }
}
