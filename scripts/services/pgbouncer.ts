import { chownSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianProgram } from "./debian-program.js";
import { serverAccount } from "./server-account.js";
import { freePort, startServer, type ServerProcess } from "./server-process.js";

/** A running PgBouncer for tests, in front of a PostgreSQL. */
export interface PoolerServer extends ServerProcess {
  /** Address of the database through the pooler. */
  url: string;
}

/**
 * Starts PgBouncer on a free port of 127.0.0.1 for the database of `target` (`postgres://…`).
 * @throws MissingServiceError.
 */
export async function startPgBouncer(
  target: string,
  mode: "transaction" | "session",
): Promise<PoolerServer> {
  const program = await debianProgram({ binary: "pgbouncer", packages: ["pgbouncer"] });
  const folder = mkdtempSync(join(tmpdir(), "site-pgbouncer-"));
  const port = await freePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(target);
  const database = pathname.slice(1);
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: mode,
    ignore_startup_parameters: "extra_float_digits,statement_timeout,options",
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  const server = `host=${hostname} port=${serverPort} user=${username} password=${password} dbname=${database}`;
  writeFileSync(file, `[databases]\n${database} = ${server}\n[pgbouncer]\n${lines.join("\n")}\n`);
  const account = await serverAccount();
  if (account !== null) [folder, file].forEach((path) => chownSync(path, account.uid, account.gid));
  const running = await startServer({
    command: program.path,
    args: [file],
    env: program.env,
    ready: "process up",
    folder,
    stopSignal: "SIGTERM",
    ...account,
  });
  return { ...running, url: `postgres://${username}:${password}@127.0.0.1:${port}/${database}` };
}
