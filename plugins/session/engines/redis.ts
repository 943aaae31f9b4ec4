import { createHash } from "node:crypto";
import type { RedisStore } from "connect-redis";
import type { createClient } from "redis";
import type { Logger } from "#kernel";
import type { SessionRecord, SessionStore } from "../contract.js";

type Client = ReturnType<typeof createClient>;
type Connected = { client: Client; sessions: RedisStore };

const PREFIX = "site:session:";
const CLAIM_PREFIX = "site:claim:";
const USER_PREFIX = "site:session-user:";
/** Longest pause between reconnection attempts, in ms. */
const RECONNECT_MS = 1_000;

/**
 * Sessions in Redis through connect-redis, with a set of ids per user. Connects on first use. While
 * Redis is down, calls fail immediately instead of queueing, and it reconnects by itself.
 */
export class RedisSessionStore implements SessionStore {
  /** A network response that takes longer is unlikely to come. */
  readonly limits = { writeMs: 1_000 };
  readonly #url: string;
  readonly #log: Logger;
  #connecting: Promise<Connected> | null = null;

  constructor(url: string, log: Logger) {
    this.#url = url;
    this.#log = log;
  }

  async get(id: string): Promise<SessionRecord | null> {
    const { sessions } = await this.#connect();
    try {
      const found: { record?: SessionRecord } | null = await sessions.get(id);
      return found?.record ?? null;
    } catch (error) {
      // A foreign value under our key is not a session.
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async set(id: string, record: SessionRecord, ttlSeconds: number): Promise<void> {
    const { client, sessions } = await this.#connect();
    const key = userKey(record.userId);
    // The set first: a session missing from it could not be revoked. It lives as long as the
    // longest session in it.
    await client
      .multi()
      .sAdd(key, id)
      .expire(key, ttlSeconds, "NX")
      .expire(key, ttlSeconds, "GT")
      .exec();
    await sessions.set(id, {
      cookie: { originalMaxAge: null, expires: new Date(Date.now() + ttlSeconds * 1000) },
      record,
    });
  }

  async destroy(id: string): Promise<void> {
    const record = await this.get(id);
    const { client, sessions } = await this.#connect();
    await sessions.destroy(id);
    if (record) await client.sRem(userKey(record.userId), id);
  }

  async destroyUser(userId: string): Promise<number> {
    const { client } = await this.#connect();
    const ids = await client.sMembers(userKey(userId));
    if (ids.length === 0) return 0;
    const removed = await client.del(ids.map((id) => PREFIX + id));
    // Only the ids that were read: a session started in the meantime stays listed.
    await client.sRem(userKey(userId), ids);
    return removed;
  }

  async claim(key: string, ttlSeconds: number): Promise<boolean> {
    const { client } = await this.#connect();
    const options = { condition: "NX", expiration: { type: "EX", value: ttlSeconds } } as const;
    return (await client.set(CLAIM_PREFIX + key, "1", options)) === "OK";
  }

  async open(): Promise<void> {
    await this.#connect();
  }

  async close(): Promise<void> {
    const connecting = this.#connecting;
    this.#connecting = null;
    const connected = await connecting?.catch(() => null);
    connected?.client.destroy();
  }

  #connect(): Promise<Connected> {
    if (this.#connecting === null) {
      this.#connecting = this.#open();
      this.#connecting.catch(() => (this.#connecting = null));
    }
    return this.#connecting;
  }

  async #open(): Promise<Connected> {
    const [{ createClient: create }, { RedisStore: Store }] = await Promise.all([
      import("redis"),
      import("connect-redis"),
    ]);
    const client: Client = create({
      url: this.#url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: 1_000,
        reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, RECONNECT_MS),
      },
    });
    // Without a listener, a lost connection would end the process; the front logs the outage.
    client.on("error", (error: unknown) => {
      this.#log.debug("session.redis_error", { error: String(error) });
    });
    // Resolves with the first connection; keeps trying until then.
    client.connect().catch((error: unknown) => {
      this.#log.debug("session.redis_error", { error: String(error) });
    });
    await ready(client);
    return { client, sessions: new Store({ client, prefix: PREFIX }) };
  }
}

/** Resolves when the client is connected or has failed once; until connected, calls fail fast. */
function ready(client: Client): Promise<void> {
  return new Promise((resolve) => {
    client.once("ready", () => resolve());
    client.once("error", () => resolve());
  });
}

function userKey(userId: string): string {
  return USER_PREFIX + createHash("sha256").update(userId).digest("hex");
}
