import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { errorCode, HttpError, SiteError } from "#lib/errors";
import { KeyedLock } from "#lib/concurrency";
import { createPostgresClient } from "./postgres-pool.js";

/** Interval in which the connection is asked whether it still holds its locks, in ms. */
const PROBE_MS = 1_000;
/**
 * Time without a reply after which the locks count as lost, in ms. Shorter than `IDLE_MS`, so no other process can
 * hold them by then.
 */
const SILENCE_MS = 4_000;
/** The server ends a session that asks nothing for this long, in ms: that of a process that hangs or is cut off. */
const IDLE_MS = 5_000;
/** Pause between two attempts to take a lock that another process holds, in ms; a random part is added. */
const RETRY_MS = 10;

/** The number of a lock, as SQL; `name` is an SQL expression. */
function keyOf(name: string): string {
  return `hashtextextended('site ' || (${name})::text, 0)`;
}

const TRY = `select pg_try_advisory_lock(${keyOf("$1")}) as yes`;
const UNLOCK = `select pg_advisory_unlock(${keyOf("$1")}) as yes`;
/** Ends with the statement; a session does not wait for its own locks. */
const IS_FREE = `select pg_try_advisory_xact_lock_shared(${keyOf("$1")}) as yes`;
/** Waits behind the process that holds the lock. */
const WAIT = `select pg_advisory_xact_lock_shared(${keyOf("$1")})`;
/** The code of a statement that took longer than its limit. */
const STATEMENT_TIMEOUT = "57014";
const PROBE = "select $1 <> '' as yes";

/** Options of the locks. */
export interface SessionLockOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  /** The error while the server does not respond. */
  toError(cause?: unknown): HttpError;
  /** Called when locks are lost with their connection; none of them is held any more. */
  onLost(names: readonly string[], cause: unknown): void;
}

/**
 * Session-level advisory locks, all on one connection of their own: PostgreSQL frees them when the process
 * ends, whatever ends it, and five seconds after it has stopped to respond. A lock belongs to the process: who
 * takes it twice holds it once.
 */
export class SessionLocks {
  /** The number of a lock in `pg_locks`, as SQL; `name` is an SQL expression. */
  static readonly key = keyOf;
  readonly #options: SessionLockOptions;
  readonly #held = new Set<string>();
  readonly #turns = new KeyedLock();
  #connecting: Promise<Client> | null = null;
  #probe: NodeJS.Timeout | null = null;
  /** When the last question that was answered was asked, in ms of `performance.now()`. */
  #answeredAt = 0;
  #isClosed = false;

  constructor(options: SessionLockOptions) {
    this.#options = options;
  }

  /** True while no other process can hold the lock. */
  holds(name: string): boolean {
    return this.#held.has(name) && performance.now() < this.#answeredAt + SILENCE_MS;
  }

  /**
   * Takes the lock if it is free; true when this process holds it.
   * @throws what `toError` returns while the server does not respond.
   */
  tryLock(name: string): Promise<boolean> {
    return this.#turns.run("connection", async () => {
      // The server counts: a second lock of the same session would need a second unlock.
      if (this.#held.has(name)) {
        await this.#ask(PROBE, name);
        return this.holds(name);
      }
      const isLocked = await this.#ask(TRY, name);
      if (isLocked) this.#held.add(name);
      return isLocked;
    });
  }

  /** Waits up to `limitMs` for the lock; false when another process holds it all the time. @throws as `tryLock`. */
  async lock(name: string, limitMs: number): Promise<boolean> {
    const end = performance.now() + limitMs;
    while (!(await this.tryLock(name))) {
      if (performance.now() >= end) return false;
      await delay(RETRY_MS * (1 + Math.random()));
    }
    return true;
  }

  /** True when no other process holds the lock. @throws as `tryLock`. */
  isFree(name: string): Promise<boolean> {
    return this.#turns.run("connection", () => this.#ask(IS_FREE, name));
  }

  /**
   * Waits up to `limitMs` until the process that holds the lock now has released it, also when another one takes it at
   * once; false when it has not. @throws as `tryLock`.
   */
  async released(name: string, limitMs: number): Promise<boolean> {
    if (await this.isFree(name)) return true;
    // The session of the locks must not wait: it probes them.
    const client = await createPostgresClient({ url: this.#options.url, statementMs: limitMs });
    client.on("error", () => undefined);
    try {
      await client.connect();
      // The server gives it before later attempts to take the lock.
      await client.query(WAIT, [name]);
      return true;
    } catch (error) {
      if (errorCode(error) === STATEMENT_TIMEOUT) return false;
      throw this.#options.toError(error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Frees the lock. When the server does not respond, the connection is given up, which frees it as well. */
  unlock(name: string): Promise<void> {
    return this.#turns.run("connection", async () => {
      if (!this.#held.delete(name)) return;
      await this.#ask(UNLOCK, name).catch(() => undefined);
    });
  }

  /** Ends the connection, which frees all locks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#held.clear();
    const client = await this.#connecting?.catch(() => null);
    this.#forget();
    await client?.end().catch(() => undefined);
  }

  async #ask(sql: string, name: string): Promise<boolean> {
    const asked = performance.now();
    this.#connecting ??= this.#open();
    const connecting = this.#connecting;
    try {
      const client = await connecting;
      const { rows } = await client.query<{ yes: boolean }>(sql, [name]);
      this.#answeredAt = asked;
      return rows[0]?.yes === true;
    } catch (error) {
      this.#lose(connecting, error);
      if (error instanceof SiteError && !(error instanceof HttpError)) throw error;
      throw this.#options.toError(error);
    }
  }

  async #open(): Promise<Client> {
    if (this.#isClosed) throw new Error("the locks are closed");
    const client = await createPostgresClient({
      url: this.#options.url,
      statementMs: SILENCE_MS / 2,
    });
    const connecting = this.#connecting;
    const lost = (error?: Error): void =>
      this.#lose(connecting, error ?? new Error("the connection ended"));
    client.on("error", lost);
    client.on("end", () => lost());
    await client.connect();
    // As a statement: a pooler may ignore the options of a connection.
    await client.query(`set idle_session_timeout = ${IDLE_MS}`);
    await assertSession(client, this.#options.url).catch(async (error: unknown) => {
      await client.end();
      throw error;
    });
    // Locks are lost after `SILENCE_MS` without a reply.
    const probe = (): Promise<unknown> => this.#turns.run("connection", () => this.#ask(PROBE, ""));
    this.#probe = setInterval(() => void probe().catch(() => undefined), PROBE_MS).unref();
    return client;
  }

  /** Gives the connection up, unless another one has replaced it; the next call opens another one. */
  #lose(connecting: Promise<Client> | null, cause: unknown): void {
    if (connecting === null || connecting !== this.#connecting) return;
    const names = [...this.#held];
    this.#held.clear();
    this.#forget();
    void connecting.then((client) => client.end()).catch(() => undefined);
    if (names.length > 0 && !this.#isClosed) this.#options.onLost(names, cause);
  }

  #forget(): void {
    if (this.#probe !== null) clearInterval(this.#probe);
    this.#probe = null;
    this.#connecting = null;
  }
}

/**
 * Checks that the connection keeps its session: a pooler in transaction mode gives it to another client between
 * two statements, and the locks with it. @throws ERR_POSTGRES_POOLER.
 */
async function assertSession(client: Client, url: string): Promise<void> {
  const other = await createPostgresClient({ url, statementMs: SILENCE_MS / 2 });
  other.on("error", () => undefined);
  await other.connect();
  try {
    const before = await sessionOf(client);
    // In a transaction, the other client keeps the session that was free last.
    await other.query("begin");
    await sessionOf(other);
    if ((await sessionOf(client)) === before) return;
  } finally {
    await other.end();
  }
  throw new SiteError(
    "ERR_POSTGRES_POOLER",
    "the address in SITE_DB_URL leads to a pooler that gives each transaction another session, so locks and notifications do not work",
    { fix: "set SITE_DB_URL to the address of PostgreSQL itself, or to a pool in session mode" },
  );
}

async function sessionOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}
