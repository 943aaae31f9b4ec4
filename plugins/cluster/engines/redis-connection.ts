import { CircuitBreaker, within, type Logger } from "#kernel";
import { RedisConnection, type RedisClient } from "#kernel/internal";
import { clusterDown } from "../errors.js";

/** Longest wait for a response, in ms. */
const LIMIT_MS = 1_000;
/** Pause after failures before Redis is tried again, in ms. */
const PAUSE_MS = 500;
const FAILURES = 2;

/** A connection whose errors are logged at level `debug`: heartbeats report an outage once. */
export function openConnection(url: string, log: Logger): RedisConnection {
  return new RedisConnection(url, (error) =>
    log.debug("cluster.redis_error", { error: String(error) }),
  );
}

/** Calls that fail fast: none waits longer than a second. */
export class RedisCalls {
  readonly #url: string;
  readonly #log: Logger;
  readonly #breaker = new CircuitBreaker({
    failures: FAILURES,
    pauseMs: PAUSE_MS,
    now: () => performance.now(),
  });
  #connection: RedisConnection;
  #isClosed = false;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
    this.#connection = openConnection(url, log);
  }

  /** @throws ERR_CLUSTER_DOWN (503) when Redis fails or does not respond in time. */
  async run<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#isClosed || this.#breaker.isOpen) throw clusterDown();
    const connection = this.#connection;
    try {
      const working = connection.client().then(work);
      const result = await within(LIMIT_MS, working, () => {
        // A call whose caller has given up must not run later.
        this.#drop(connection);
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
    void this.#connection.close();
  }

  #drop(connection: RedisConnection): void {
    if (this.#connection === connection) this.#connection = openConnection(this.#url, this.#log);
    void connection.close();
  }
}
