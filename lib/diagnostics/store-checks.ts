/** Checks of Redis and PostgreSQL for the plugins that use them. */
import { within } from "#lib/concurrency";
import {
  createPostgresPool,
  describePostgresError,
  isPostgresUrl,
  RedisConnection,
} from "#lib/stores";
import { skewFinding, type Finding, type NamedCheck } from "./finding.js";

/** Longest wait for a store, in ms. */
const LIMIT_MS = 8_000;

/** Whether a site uses a store; a text: the address, when it is not that of the variable. */
type Uses<S> = (settings: S) => boolean | string;
/** The settings and variables of a site. */
interface StorePlace<S> {
  readonly settings: S;
  readonly env: { get(name: string): string | undefined };
}

/** Connects to Redis where the site uses it. */
export function redisCheck<S>(uses: Uses<S>): NamedCheck<StorePlace<S>> {
  return {
    name: "redis",
    run: async ({ settings, env }) => {
      const used = uses(settings);
      if (used === false) return [];
      const url = typeof used === "string" ? used : env.get("SITE_REDIS_URL");
      const fix = "start Redis, or correct host, port, user and password of SITE_REDIS_URL";
      if (url === undefined) return [{ level: "error", seen: "SITE_REDIS_URL is not set", fix }];
      return pingRedis(url, fix);
    },
  };
}

async function pingRedis(url: string, fix: string): Promise<readonly Finding[]> {
  let lastError: unknown = null;
  const connection = new RedisConnection(url, (error) => (lastError = error));
  try {
    const asked = connection.client().then(async (client) => {
      const [seconds = ""] = await client.sendCommand<string[]>(["TIME"]);
      return Number(seconds) * 1_000 - Date.now();
    });
    const skew = await within(LIMIT_MS, asked, () => {
      throw new Error(`no response within ${LIMIT_MS} ms`);
    });
    return [{ level: "ok", seen: "Redis responds" }, skewFinding("Redis", skew)];
  } catch (error) {
    const reason = reasonOf(lastError ?? error);
    return [{ level: "error", seen: `Redis does not respond: ${reason}`, fix }];
  } finally {
    await connection.close();
  }
}

/** Connects to PostgreSQL where the site uses it. */
export function postgresCheck<S>(uses: Uses<S>): NamedCheck<StorePlace<S>> {
  return {
    name: "postgres",
    run: async ({ settings, env }) => {
      if (uses(settings) === false) return [];
      const url = env.get("SITE_DB_URL");
      const fix = "start PostgreSQL, or correct host, port, user and password of SITE_DB_URL";
      if (!isPostgresUrl(url)) {
        return [{ level: "error", seen: "SITE_DB_URL is not a postgres:// URL", fix }];
      }
      return askPostgres(url, fix);
    },
  };
}

async function askPostgres(url: string, fix: string): Promise<readonly Finding[]> {
  const pool = await createPostgresPool({ url, connections: 1, connectMs: LIMIT_MS });
  try {
    const { rows } = await pool.query<{ ms: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms",
    );
    const skew = (rows[0]?.ms ?? Date.now()) - Date.now();
    return [{ level: "ok", seen: "PostgreSQL responds" }, skewFinding("PostgreSQL", skew)];
  } catch (error) {
    const seen = `PostgreSQL does not respond: ${describePostgresError(error)}`;
    return [{ level: "error", seen, fix }];
  } finally {
    await pool.end();
  }
}

/** Several addresses of a name fail together, in an error without a message. */
function reasonOf(error: unknown): string {
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return inner.map((one) => (one instanceof Error ? one.message : String(one))).join("; ");
}
