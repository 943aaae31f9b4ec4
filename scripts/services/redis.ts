import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianProgram } from "./debian-program.js";
import { freePort, startServer } from "./server-process.js";

/** A running Redis of our own. */
export interface RedisServer {
  /** Address of one of its 256 databases. */
  url(database: number): string;
  stop(): Promise<void>;
}

/** Starts Redis in memory on a free port of 127.0.0.1. Throws MissingServiceError. */
export async function startRedis(): Promise<RedisServer> {
  const program = await debianProgram({ binary: "redis-server", packages: ["redis-server"] });
  const folder = mkdtempSync(join(tmpdir(), "site-redis-"));
  const port = await freePort();
  const settings = { bind: "127.0.0.1", port, dir: folder, save: "", databases: 256 };
  const stop = await startServer({
    command: program.path,
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]),
    env: program.env,
    ready: "Ready to accept connections",
    folder,
    stopSignal: "SIGTERM",
  });
  return { url: (database) => `redis://127.0.0.1:${port}/${database}`, stop };
}
