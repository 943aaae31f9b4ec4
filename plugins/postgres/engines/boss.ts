import type { Db, JobAttempt, PgBoss, QueueOptions } from "pg-boss";
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
/** Interval of its maintenance, and of its counts, in seconds. */
const PULSE_S = 10;

/** The longest time that pg-boss stores, in seconds: jobs wait until they run. */
const FOREVER_S = 2 ** 31 - 1;
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

/** Attempts under way; `job_i7`, an index of pg-boss, has them. */
const ACTIVE = `select id, name as queue, retry_count as "retryCount", heartbeat_on::text as beat
  from ${SCHEMA}.job where name = any($1) and state = 'active' and group_id is not null`;

/** An attempt that some node makes. `beat` changes with each of its heartbeats. */
export interface ActiveAttempt extends JobAttempt {
  readonly queue: string;
  readonly beat: string;
}

/** Options of pg-boss. */
export interface SharedBossOptions {
  /** `postgres://…`, from SITE_DB_URL. */
  readonly url: string;
  /** Called when another node may have added jobs to a queue; null: to any. */
  onAdded(queue: string | null): void;
  /** Gets errors of the maintenance of pg-boss, which tries again. */
  onError(error: Error): void;
}

/** pg-boss, its connections, and one for heartbeats, which must not wait for the others. */
interface OpenBoss {
  readonly boss: PgBoss;
  readonly pool: PostgresPool;
  readonly beats: PostgresPool;
}

/** pg-boss on connections of its own. */
export class SharedBoss {
  readonly #options: SharedBossOptions;
  #open: OpenBoss | null = null;

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
    const { url, onAdded, onError } = this.#options;
    const pool = await createPostgresPool({
      url,
      connections: CONNECTIONS,
      statementMs: STATEMENT_MS,
      settings: SETTINGS,
      onError,
    });
    const beats = await createPostgresPool({ url, connections: 1, onError });
    const boss = new Boss({
      db: {
        ...toDb(pool),
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
      superviseIntervalSeconds: PULSE_S,
      monitorIntervalSeconds: PULSE_S,
      schedule: false,
      useListenNotify: true,
    });
    boss.on("error", onError);
    this.#open = { boss, pool, beats };
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
  async run<T>(work: (boss: PgBoss, open: OpenBoss) => Promise<T>): Promise<T> {
    if (this.#open === null) throw postgresDown();
    try {
      return await work(this.#open.boss, this.#open);
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
    return this.run((boss, { pool }) => inTransaction(pool, (client) => work(boss, toDb(client))));
  }

  /** Tells the other nodes that attempts of a queue go on. @throws as `run`. */
  touch(queue: string, attempts: JobAttempt[]): Promise<unknown> {
    return this.run((boss, { beats }) => boss.touch(queue, attempts, { db: toDb(beats) }));
  }

  /** The attempts under way on all nodes. @throws as `run`. */
  active(queues: readonly string[]): Promise<readonly ActiveAttempt[]> {
    return this.run(async (_, { beats }) => {
      return (await beats.query<ActiveAttempt>(ACTIVE, [queues])).rows;
    });
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.boss.stop({ graceful: false }).catch(this.#options.onError);
    await open?.pool.end();
    await open?.beats.end();
  }
}

/** What pg-boss calls to run a statement. */
function toDb(queries: Pick<PostgresPool, "query">): Db {
  return { executeSql: (text, values) => queries.query(text, values) };
}

function newerSchema(found: number, known: number): SiteError {
  const message = `the schema "${SCHEMA}" has version ${found}, and the installed pg-boss knows ${known}`;
  return new SiteError("ERR_DATABASE_NEWER", message, {
    fix: "install the version of pg-boss that the other nodes run, or restore a backup of the database",
  });
}
