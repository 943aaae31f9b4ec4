import type { Client } from "pg";
import type { Db, PgBoss } from "pg-boss";
import { SiteError } from "#lib/errors";
import {
  createPostgresClient,
  createPostgresPool,
  databaseStartupError,
  isPostgresAway,
  type PostgresPool,
} from "#lib/databases";
import { loadOptional } from "#lib/packages";
import { postgresDown } from "../errors.js";

/** The schema of pg-boss in the database of the site. */
const SCHEMA = "site_jobs";
/** Connections for jobs, and the time limit of a statement in ms: it also migrates and adds many jobs. */
const CONNECTIONS = 4;
const STATEMENT_MS = 15_000;
/**
 * Without statistics, as after many jobs were added, the planner compares each waiting job with each other one
 * and a fetch from 10,000 takes seconds instead of 50 ms.
 */
const SETTINGS = "-c enable_nestloop=off";
/** Interval of attempts to listen again after the connection was lost, in ms. */
const RELISTEN_MS = 1_000;
/** Interval of checks of the connection that listens, in ms. */
const PROBE_MS = 5_000;
/** Interval of its maintenance, and of the heartbeats of its instances, in seconds. */
const PULSE_S = 10;

/** Options of pg-boss. */
export interface SharedBossOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  /** Names this process to the others. */
  readonly instance: string;
  /** Called when another node may have added jobs to a queue; null: to any. */
  onAdded(queue: string | null): void;
  /** Gets errors of the maintenance of pg-boss, which tries again. */
  onError(error: Error): void;
}

/** pg-boss on connections of its own. */
export class SharedBoss {
  readonly #options: SharedBossOptions;
  readonly #listener: Listener;
  #open: { boss: PgBoss; pool: PostgresPool } | null = null;

  constructor(options: SharedBossOptions) {
    this.#options = options;
    this.#listener = new Listener(options.url);
  }

  /**
   * Installs or updates the schema.
   * @throws ERR_DATABASE_NEWER, ERR_POSTGRES_RIGHTS, ERR_POSTGRES_UNREACHABLE, ERR_POSTGRES_LOGIN.
   */
  async start(): Promise<void> {
    const { PgBoss: Boss, getConstructionPlans } = await loadOptional(() => import("pg-boss"), {
      plugin: "postgres",
      packages: ["pg-boss"],
      neededBy: "jobs.engine: postgres",
    });
    const { url, instance, onAdded, onError } = this.#options;
    const pool = await createPostgresPool({
      url,
      connections: CONNECTIONS,
      statementMs: STATEMENT_MS,
      settings: SETTINGS,
      onError,
    });
    const boss = new Boss({
      db: {
        executeSql: (text, values) => pool.query(text, values),
        listen: async (channel, onQueue, onReconnect) => {
          await this.#listener.open(channel, (queue) => {
            if (queue === null) onReconnect();
            else onQueue(queue);
            onAdded(queue);
          });
          return { close: () => this.#listener.close() };
        },
      },
      schema: SCHEMA,
      instanceName: instance,
      instanceHeartbeatSeconds: PULSE_S,
      superviseIntervalSeconds: PULSE_S,
      monitorIntervalSeconds: PULSE_S,
      schedule: false,
      useListenNotify: true,
    });
    boss.on("error", onError);
    this.#open = { boss, pool };
    try {
      // pg-boss itself starts on a newer schema than it knows.
      const plan = getConstructionPlans(SCHEMA);
      const known = Number(/version\(version\) VALUES \('(\d+)'\)/.exec(plan)?.[1] ?? Infinity);
      const found = (await boss.isInstalled()) ? await boss.schemaVersion() : null;
      if (found !== null && found > known) throw newerSchema(found, known);
      await boss.start();
    } catch (error) {
      await this.close();
      throw databaseStartupError(error);
    }
  }

  /** Calls pg-boss. @throws ERR_POSTGRES_DOWN (503). */
  async run<T>(work: (boss: PgBoss, pool: PostgresPool) => Promise<T>): Promise<T> {
    if (this.#open === null) throw postgresDown();
    try {
      return await work(this.#open.boss, this.#open.pool);
    } catch (error) {
      throw isPostgresAway(error) ? postgresDown(error) : error;
    }
  }

  /** Calls pg-boss in one transaction, with `db` in the options of each call. @throws as `run`. */
  transaction<T>(work: (boss: PgBoss, db: Db) => Promise<T>): Promise<T> {
    return this.run(async (boss, pool) => {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work(boss, {
          executeSql: (text, values) => client.query(text, values),
        });
        await client.query("commit");
        client.release();
        return result;
      } catch (error) {
        // A connection in an unknown state does not return to the pool.
        client.release(true);
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.boss.stop({ graceful: false }).catch(this.#options.onError);
    await this.#listener.close();
    await open?.pool.end();
  }
}

function newerSchema(found: number, known: number): SiteError {
  const message = `the schema "${SCHEMA}" has version ${found}, and the installed pg-boss knows ${known}`;
  return new SiteError("ERR_DATABASE_NEWER", message, {
    fix: "install the version of pg-boss that the other nodes run, or restore a backup of the database",
  });
}

/** Listens on a connection of its own, and connects again after it was lost. */
class Listener {
  readonly #url: string;
  #client: Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves after the first attempt. `onMessage` gets null each time it may have missed messages. */
  async open(channel: string, onMessage: (message: string | null) => void): Promise<void> {
    this.#timer = null;
    try {
      await this.#connect(channel, onMessage);
    } catch {
      this.#client = null;
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => void this.open(channel, onMessage), RELISTEN_MS).unref();
    }
  }

  async #connect(channel: string, onMessage: (message: string | null) => void): Promise<void> {
    const client = await createPostgresClient({ url: this.#url, statementMs: PROBE_MS });
    this.#client = client;
    let probe: NodeJS.Timeout | null = null;
    const lost = (): void => {
      if (probe !== null) clearInterval(probe);
      if (this.#client !== client) return;
      this.#client = null;
      void client.end().catch(() => undefined);
      void this.open(channel, onMessage);
    };
    client.on("error", lost);
    client.on("notification", ({ payload = "" }) => onMessage(payload));
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    client.on("end", lost);
    probe = setInterval(() => void client.query("select 1").catch(lost), PROBE_MS).unref();
    onMessage(null);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }
}
