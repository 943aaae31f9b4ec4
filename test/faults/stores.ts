// The stores of the cluster under test, and a proxy per node in front of each.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#lib/errors";
import { startPostgres } from "../../scripts/services/postgres.js";
import { startRedis } from "../../scripts/services/redis.js";
import { startS3 } from "../../scripts/services/s3.js";
import type { ServerProcess } from "../../scripts/services/server-process.js";
import { startTcpProxy, type TcpProxy } from "../support/servers/tcp-proxy.js";

export const STORES = ["redis", "postgres", "s3"] as const;
export type StoreName = (typeof STORES)[number];

/** The host name under which nodes look for a store. */
export const hostOf = (store: StoreName): string => `${store}.test`;

/** The database server under test. */
export interface FaultPostgres extends ServerProcess {
  /** Sends a signal to the server and all its processes. */
  signalAll(signal: NodeJS.Signals): void;
  /** While it is stopped: copies its files, and brings them back. */
  backup(): void;
  restore(): void;
}
/** The running servers. */
export interface Stores {
  readonly servers: Readonly<Record<StoreName, ServerProcess>> & { postgres: FaultPostgres };
  /** Proxies to the stores, and the environment of a node that connects through them. */
  link(): Promise<StoreLinks>;
  stop(): Promise<void>;
}
/** How one node reaches the stores. */
export interface StoreLinks {
  readonly proxies: Readonly<Record<StoreName, TcpProxy>>;
  readonly env: Readonly<Record<string, string>>;
  readonly s3Endpoint: string;
}

export const BUCKET = "images";

/** Starts Redis, PostgreSQL and an S3 server that keep what they confirm when they are killed. */
export async function startStores(): Promise<Stores & { databaseUrl: string }> {
  const redis = await startRedis({ isKept: true });
  const postgres = await startPostgres();
  const s3 = await startS3();
  await s3.createBucket(BUCKET);
  const databaseUrl = await postgres.createDatabase("site");
  const targets = { redis: redis.url(0), postgres: databaseUrl, s3: s3.endpoint };
  return {
    databaseUrl,
    servers: { redis, postgres: { ...postgres, ...outages(postgres.data) }, s3 },
    link: async () => {
      const proxies = {
        redis: await startTcpProxy(targets.redis),
        postgres: await startTcpProxy(targets.postgres),
        s3: await startTcpProxy(targets.s3),
      };
      const urlOf = (store: StoreName): string =>
        proxies[store].url.replace("127.0.0.1", hostOf(store)).replace(/(?<=:\d+)\/$/, "");
      return {
        proxies,
        s3Endpoint: urlOf("s3"),
        env: {
          SITE_REDIS_URL: urlOf("redis"),
          SITE_DB_URL: urlOf("postgres"),
          SITE_S3_ACCESS_KEY_ID: s3.accessKeyId,
          SITE_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
        },
      };
    },
    stop: async () => {
      await Promise.all([redis.stop(), postgres.stop(), s3.stop()]);
    },
  };
}

/** What else is done to the server whose files are in the folder `data`. */
function outages(data: string): Omit<FaultPostgres, keyof ServerProcess> {
  return {
    signalAll: (signal) => {
      const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
      for (const one of [pid, ...children.split(" ")]) {
        try {
          process.kill(Number(one), signal);
        } catch (error) {
          // The connection that this process was for has ended.
          if (errorCode(error) !== "ESRCH") throw error;
        }
      }
    },
    backup: () => copyFiles(data, `${data}.backup`),
    restore: () => copyFiles(`${data}.backup`, data),
  };
}

/** With owners and rights. */
function copyFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
}
