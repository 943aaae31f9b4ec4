/** A connection to Redis that fails fast: no call waits longer than a second. */
import type { createClient } from "redis";
import { CircuitBreaker, within, type Logger } from "#kernel";
import { clusterDown } from "../errors.js";

export type RedisClient = ReturnType<typeof createClient>;

/** Longest wait for a response, in ms. */
const LIMIT_MS = 1_000;
/** Pause after failures before Redis is tried again, in ms. */
const PAUSE_MS = 500;
const FAILURES = 2;
/** Longest pause between attempts to connect, in ms. */
const RECONNECT_MS = 500;

/**
 * Opens a client; resolves when it is connected, has failed once or takes too long. It reconnects by
 * itself, and rejects calls until it is connected.
 */
export async function openClient(url: string, log: Logger): Promise<RedisClient> {
  const { createClient: create } = await import("redis");
  const client: RedisClient = create({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: LIMIT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MS),
    },
  });
  const failed = (error: unknown): void =>
    log.debug("cluster.redis_error", { error: String(error) });
  // Without a listener, a lost connection would end the process.
  client.on("error", failed);
  client.connect().catch(failed);
  const settled = new Promise<void>((resolve) => {
    client.once("ready", () => resolve());
    client.once("error", () => resolve());
  });
  await within(LIMIT_MS, settled, () => undefined);
  return client;
}

/** Closes a client at once, whatever its state. */
export function closeClient(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

/** The connection for calls that end soon. */
export class RedisConnection {
  readonly #url: string;
  readonly #log: Logger;
  readonly #breaker = new CircuitBreaker({
    failures: FAILURES,
    pauseMs: PAUSE_MS,
    now: () => performance.now(),
  });
  #client: Promise<RedisClient> | null = null;
  #isClosed = false;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  /** False after failed calls. */
  get isUp(): boolean {
    return !this.#breaker.isTripped;
  }

  /** @throws ERR_CLUSTER_DOWN (503) when Redis fails or does not respond in time. */
  async run<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#isClosed || this.#breaker.isOpen) throw clusterDown();
    const opened = (this.#client ??= openClient(this.#url, this.#log));
    try {
      const working = opened.then(work);
      const result = await within(LIMIT_MS, working, () => {
        // A call whose caller has given up must not run later.
        this.#drop(opened);
        throw new Error(`no response within ${LIMIT_MS} ms`);
      });
      this.#breaker.succeeded();
      return result;
    } catch (error) {
      this.#breaker.failed();
      throw clusterDown(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#client !== null) this.#drop(this.#client);
  }

  #drop(opened: Promise<RedisClient>): void {
    if (this.#client === opened) this.#client = null;
    opened.then(closeClient, () => undefined);
  }
}
