import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Database, Statement } from "better-sqlite3";
import { SiteError } from "#lib/errors";
import { installCommand } from "#lib/packages";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "./files.js";

/** A statement; its parameters are text, numbers, bytes and null. */
export interface SqliteStatement {
  /** True when it returns rows. */
  readonly reader: boolean;
  get(parameters: readonly unknown[]): unknown;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** An open SQLite file. Errors have SQLite's name as `code`: `SQLITE_BUSY` and others. */
export interface SqliteFile {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
}

/** Options of an opened file. */
export interface SqliteOptions {
  /** Longest wait of a statement for other processes, in ms. */
  busyMs: number;
}

/**
 * Opens a file; one that does not exist is created with its folder, for the user of the server only.
 * A statement waits up to `busyMs` for other processes and blocks this one.
 */
export type SqliteOpener = (file: string, options: SqliteOptions) => SqliteFile;

/**
 * The driver of this process: `node:sqlite` where Node has it, else the package better-sqlite3.
 * @throws ERR_SQLITE_MISSING.
 */
export async function sqliteOpener(): Promise<SqliteOpener> {
  const builtIn: object | undefined = process.getBuiltinModule("node:sqlite");
  const open = isNodeSqlite(builtIn) ? nodeOpener(builtIn) : await packageOpener();
  return (file, options) => {
    if (file !== IN_MEMORY) createPrivate(file);
    return open(file, options);
  };
}

const IN_MEMORY = ":memory:";

/** SQLite would create a file that others may read. It gives the files beside it the mode of this one. */
function createPrivate(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  closeSync(openSync(file, "a", PRIVATE_FILE));
}

/** The parts of `node:sqlite` in use. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => {
    prepare(sql: string): NodeStatement;
    exec(sql: string): void;
    close(): void;
  };
}
interface NodeStatement {
  get(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): ReturnType<SqliteStatement["run"]>;
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
}

function isNodeSqlite(module: object | undefined): module is NodeSqlite {
  return module !== undefined && "DatabaseSync" in module;
}

function nodeOpener({ DatabaseSync }: NodeSqlite): SqliteOpener {
  return (file, { busyMs }) => {
    const database = coded(() => new DatabaseSync(file));
    const exec = (sql: string): void => coded(() => database.exec(sql));
    exec(`pragma busy_timeout = ${busyMs}`);
    return {
      prepare: (sql) => {
        const statement = coded(() => database.prepare(sql));
        return {
          reader: READS.test(sql),
          get: (parameters) => coded(() => statement.get(...parameters)),
          all: (parameters) => coded(() => statement.all(...parameters)),
          run: (parameters) => coded(() => statement.run(...parameters)),
          iterate: (parameters) => coded(() => statement.iterate(...parameters)),
        };
      },
      exec,
      close: () => database.close(),
    };
  };
}

/** Older versions of `node:sqlite` cannot tell which statements return rows. */
const READS = /^\s*(?:select|with|pragma|explain)\b|\breturning\b/i;

/** Result codes by number (sqlite.org/rescode.html): extended ones first, then primary ones. */
const CODES: Readonly<Record<number, string>> = {
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  19: "SQLITE_CONSTRAINT",
  26: "SQLITE_NOTADB",
};

/** Gives errors of `node:sqlite` the codes of the package. */
function coded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "errcode" in error) {
      const number = Number(error.errcode);
      Object.assign(error, { code: CODES[number] ?? CODES[number & 0xff] ?? "SQLITE_ERROR" });
    }
    throw error;
  }
}

async function packageOpener(): Promise<SqliteOpener> {
  const Sqlite = await loadPackage();
  return (file, { busyMs }) => {
    const database: Database = new Sqlite(file, { timeout: busyMs });
    return {
      prepare: (sql) => {
        const statement: Statement<unknown[]> = database.prepare<unknown[]>(sql);
        return {
          reader: statement.reader,
          get: (parameters) => statement.get(...parameters),
          all: (parameters) => statement.all(...parameters),
          run: (parameters) => statement.run(...parameters),
          iterate: (parameters) => statement.iterate(...parameters),
        };
      },
      exec: (sql) => void database.exec(sql),
      close: () => void database.close(),
    };
  };
}

async function loadPackage(): Promise<typeof import("better-sqlite3")> {
  const { default: Sqlite } = await import("better-sqlite3").catch((cause: unknown) => {
    throw missing(
      "the package better-sqlite3 is not installed",
      installCommand(["better-sqlite3"]),
      cause,
    );
  });
  try {
    // Loads the binary, which `npm ci` without install scripts does not create.
    new Sqlite(":memory:").close();
  } catch (cause) {
    const fix = "npm rebuild better-sqlite3 --ignore-scripts=false";
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    // The other lines are the paths that were tried.
    const message = "the package better-sqlite3 has no binary for this version of Node";
    throw missing(message, fix, new Error(reason));
  }
  return Sqlite;
}

function missing(message: string, command: string, cause: unknown): SiteError {
  const fix = `run \`${command}\`, or use Node 22.13 or newer, which has SQLite built in`;
  return new SiteError("ERR_SQLITE_MISSING", message, { fix, cause });
}
