import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianProgram } from "./debian-program.js";
import { freePort, startServer, type ServerProcess } from "./server-process.js";

/** A running Redis for tests. */
export interface RedisServer extends ServerProcess {
  /** Address of one of its 256 databases. */
  url(database: number): string;
}

/**
 * Starts Redis on a free port of 127.0.0.1, in memory unless `isKept`: then acknowledged writes survive
 * a restart. @throws MissingServiceError.
 */
export async function startRedis({ isKept = false } = {}): Promise<RedisServer> {
  const program = await debianProgram({ binary: "redis-server", packages: ["redis-server"] });
  const folder = mkdtempSync(join(tmpdir(), "site-redis-"));
  const port = await freePort();
  const persistence = isKept ? { appendonly: "yes", appendfsync: "always" } : {};
  const settings = {
    bind: "127.0.0.1",
    port,
    dir: folder,
    save: "",
    databases: 256,
    ...persistence,
  };
  const server = await startServer({
    command: program.path,
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]),
    env: program.env,
    ready: "Ready to accept connections",
    folder,
    stopSignal: "SIGTERM",
  });
  return { ...server, url: (database) => `redis://127.0.0.1:${port}/${database}` };
}
