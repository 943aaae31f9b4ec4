import type { RedisStore } from "connect-redis";
import type { Logger } from "#kernel";
import { type RedisClient, RedisConnection } from "#lib/databases";
import { sha256 } from "#lib/secrets";
import type { SessionRecord, SessionStore } from "../contract.js";

type Connected = { client: RedisClient; sessions: RedisStore };

const PREFIX = "site:session:";
const CLAIM_PREFIX = "site:claim:";
const USER_PREFIX = "site:session-user:";

/**
 * Sessions in Redis through connect-redis, with a set of ids per user. Connects on first use. While
 * Redis is down, calls fail immediately instead of queueing, and it reconnects by itself.
 */
export class RedisSessionStore implements SessionStore {
  /** A network response that takes longer is unlikely to come. */
  readonly limits = { writeMs: 1_000 };
  readonly #connection: RedisConnection;
  #connected: Connected | null = null;

  constructor(url: string, log: Logger) {
    // The front logs the outage.
    this.#connection = new RedisConnection(url, (error) =>
      log.debug("session.redis_error", { error: String(error) }),
    );
  }

  async get(id: string): Promise<SessionRecord | null> {
    const { sessions } = await this.#connect();
    try {
      const entry: { record?: SessionRecord } | null = await sessions.get(id);
      return entry?.record ?? null;
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
    this.#connected = null;
    await this.#connection.close();
  }

  async #connect(): Promise<Connected> {
    const [client, { RedisStore: Store }] = await Promise.all([
      this.#connection.client(),
      import("connect-redis"),
    ]);
    if (this.#connected?.client !== client) {
      this.#connected = { client, sessions: new Store({ client, prefix: PREFIX }) };
    }
    return this.#connected;
  }
}

function userKey(userId: string): string {
  return USER_PREFIX + sha256(userId);
}
