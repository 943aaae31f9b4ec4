import { open } from "node:fs/promises";
import { sqliteOpener } from "#kernel/internal";

const MAGIC = "SQLite format 3\0";
/** Longest wait for another process, in ms. */
const BUSY_MS = 5_000;

/**
 * Copies an SQLite database as of one moment, also while others write to it. `to` must not exist. False:
 * the file is not a database. @throws ERR_SQLITE_MISSING, errors of SQLite.
 */
export async function copySqlite(from: string, to: string): Promise<boolean> {
  if (!(await isSqlite(from))) return false;
  const openFile = await sqliteOpener();
  const database = openFile(from, { busyMs: BUSY_MS });
  try {
    database.exec(`vacuum into '${to.replaceAll("'", "''")}'`);
    return true;
  } finally {
    database.close();
  }
}

async function isSqlite(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length));
    return buffer.toString("latin1", 0, bytesRead) === MAGIC;
  } finally {
    await handle.close();
  }
}
