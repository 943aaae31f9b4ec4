import type { Db, PgBoss, QueueOptions } from "pg-boss";
import { SiteError } from "#lib/errors";
import {
  createPostgresPool,
  databaseStartupError,
  inTransaction,
  isPostgresAway,
  Notifications,
  type PostgresPool,
} from "#lib/databases";
import { loadOptional } from "#lib/packages";
import { postgresDown } from "../errors.js";

/** The queue of dead jobs of a queue. */
export const deadQueue = (queue: string): string => `${queue}.dead`;

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
/** Interval of its maintenance, and of the heartbeats of its instances, in seconds. */
const PULSE_S = 10;

/** The longest time that pg-boss stores, in seconds: jobs wait until they run. */
export const FOREVER_S = 2 ** 31 - 1;
/** pg-boss repeats an attempt that takes longer: its highest limit, in seconds. */
const DAY_S = 86_400;
/** pg-boss fails an attempt without a heartbeat when no node does: its lowest limit, in seconds. */
const HEARTBEAT_S = 10;

const LIVE: QueueOptions = {
  // `delaysMs` of the queue decides.
  retryLimit: FOREVER_S,
  retryDelay: 0,
  retentionSeconds: FOREVER_S,
  expireInSeconds: DAY_S,
  heartbeatSeconds: HEARTBEAT_S,
};

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
  #open: { boss: PgBoss; pool: PostgresPool } | null = null;

  constructor(options: SharedBossOptions) {
    this.#options = options;
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
          const onMessage = (queue: string | null): void => {
            if (queue === null) onReconnect();
            else onQueue(queue);
            onAdded(queue);
          };
          const notifications = new Notifications({ url, channel, onMessage });
          await notifications.open();
          return notifications;
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

  /** Creates the queue of a name, and that of its dead jobs. @throws as `run`. */
  createQueue(name: string): Promise<void> {
    return this.run(async (boss) => {
      await boss.createQueue(name, { policy: "key_strict_fifo", notify: true, ...LIVE });
      await boss.createQueue(deadQueue(name), { retentionSeconds: FOREVER_S });
    });
  }

  /** Calls pg-boss in one transaction, with `db` in the options of each call. @throws as `run`. */
  transaction<T>(work: (boss: PgBoss, db: Db) => Promise<T>): Promise<T> {
    return this.run((boss, pool) =>
      inTransaction(pool, (client) =>
        work(boss, { executeSql: (text, values) => client.query(text, values) }),
      ),
    );
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.boss.stop({ graceful: false }).catch(this.#options.onError);
    await open?.pool.end();
  }
}

function newerSchema(found: number, known: number): SiteError {
  const message = `the schema "${SCHEMA}" has version ${found}, and the installed pg-boss knows ${known}`;
  return new SiteError("ERR_DATABASE_NEWER", message, {
    fix: "install the version of pg-boss that the other nodes run, or restore a backup of the database",
  });
}
