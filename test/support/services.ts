// Real servers for the tests that need them, started on first use:
//
//   before(async function () {
//     redis = await useRedis(this);
//   });
//
// One server of each kind serves all files of a process of `npm test`, and is stopped when it has no more.
// Without a server the tests are skipped with the reason; with CI set they fail.
import type { Browser } from "playwright-core";
import { caddyProgram } from "../../scripts/services/caddy.js";
import { nginxProgram } from "../../scripts/services/nginx.js";
import { startChromium } from "../../scripts/services/chromium.js";
import { debianProgram, type Program } from "../../scripts/services/debian-program.js";
import { MissingServiceError } from "../../scripts/services/missing-service.js";
import { startPgBouncer, type PoolerServer } from "../../scripts/services/pgbouncer.js";
import { startPostgres, type PostgresServer } from "../../scripts/services/postgres.js";
import { startRedis, type RedisServer } from "../../scripts/services/redis.js";
import { startS3, type S3Server } from "../../scripts/services/s3.js";
import { startSshd, type SshServer } from "../../scripts/services/sshd.js";
import { prepareSqlite } from "../../scripts/services/sqlite.js";

// Time for the first run: downloads, compilation.
const patienceMs = 300_000;
const browserTestMs = 240_000;
const running = new Map<string, Promise<unknown>>();
const stops: (() => Promise<void>)[] = [];
const counts = { redis: 0, postgres: 0, s3: 0 };

/** The address of an empty Redis database. Pub/sub is shared by all databases of the run. */
export async function useRedis(context: Mocha.Context): Promise<{ url: string }> {
  const server = await once<RedisServer>(context, "redis", async () => {
    const started = await startRedis();
    stops.push(started.stop);
    return started;
  });
  return { url: server.url(counts.redis++ % 256) };
}

/** The address of an empty PostgreSQL database. */
export async function usePostgres(context: Mocha.Context): Promise<{ url: string }> {
  const server = await once<PostgresServer>(context, "postgres", async () => {
    const started = await startPostgres();
    stops.push(started.stop);
    return started;
  });
  return { url: await server.createDatabase(`test_${counts.postgres++}`) };
}

/** The address of the database of `target` through a PgBouncer. */
export async function usePgBouncer(
  context: Mocha.Context,
  target: string,
  mode: "transaction" | "session",
): Promise<{ url: string }> {
  return once<PoolerServer>(context, `pgbouncer ${mode} ${target}`, async () => {
    const started = await startPgBouncer(target, mode);
    stops.push(started.stop);
    return started;
  });
}

/** An S3 server with an empty bucket. */
export async function useS3(context: Mocha.Context): Promise<S3Server & { bucket: string }> {
  const server = await once<S3Server>(context, "s3", async () => {
    const started = await startS3();
    stops.push(started.stop);
    return started;
  });
  const bucket = `test-${counts.s3++}`;
  await server.createBucket(bucket);
  return { ...server, bucket };
}

/** An sshd that lets the user of this process in. */
export function useSshd(context: Mocha.Context): Promise<SshServer> {
  return once<SshServer>(context, "sshd", async () => {
    const started = await startSshd();
    stops.push(started.stop);
    return started;
  });
}

/** The program of Caddy, which `startCaddy` starts with a configuration. */
export function useCaddy(context: Mocha.Context): Promise<Program> {
  return once<Program>(context, "caddy", caddyProgram);
}

/** The program of nginx, which `startNginx` starts with a configuration. */
export function useNginx(context: Mocha.Context): Promise<Program> {
  return once<Program>(context, "nginx", nginxProgram);
}

/** The program that checks the units of systemd. */
export function useSystemdAnalyze(context: Mocha.Context): Promise<Program> {
  return once<Program>(context, "systemd-analyze", () =>
    debianProgram({ binary: "systemd-analyze", packages: ["systemd"] }),
  );
}

/** A Chromium; open a new context in each test and close it. Its tests have time on a busy machine. */
export function useChromium(context: Mocha.Context): Promise<Browser> {
  context.test?.parent?.eachTest((test) => {
    // A test that has ended would time out later, during another one.
    if (test.state === undefined) test.timeout(Math.max(test.timeout(), browserTestMs));
  });
  return once<Browser>(context, "chromium", async () => {
    const browser = await startChromium();
    stops.push(() => browser.close());
    return browser;
  });
}

/** Makes `import("better-sqlite3")` work: `npm ci` does not build its binary. */
export function useSqlite(context: Mocha.Context): Promise<void> {
  return once<void>(context, "sqlite", prepareSqlite);
}

async function once<T>(context: Mocha.Context, name: string, start: () => Promise<T>): Promise<T> {
  context.timeout(patienceMs);
  try {
    const started = (running.get(name) as Promise<T> | undefined) ?? start();
    running.set(name, started);
    return await started;
  } catch (error) {
    if (!(error instanceof MissingServiceError) || process.env["CI"]) throw error;
    console.error(`skipped: ${error.message}`);
    return context.skip();
  }
}

async function stopAll(): Promise<void> {
  await Promise.all(stops.map((stop) => stop()));
}

// scripts/testing/worker.mjs disconnects after its last file; mocha's own command runs its files once.
if (process.connected) process.once("disconnect", () => void stopAll());
else
  after(async function () {
    this.timeout(patienceMs);
    await stopAll();
  });
