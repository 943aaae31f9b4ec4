import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, open, rename, rm, statfs, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { safeJoin, SiteError } from "#kernel";
import { errorCode, isDiskFull } from "#lib/errors";
import { lockRoot, makeFolder, type ProcessLock, temporaryBeside } from "#lib/files";
import { DATABASE, FILES, OUTSIDE_DATABASE } from "../archive/manifest.js";
import {
  damaged,
  readArchive,
  type ArchiveEntry,
  type VerifiedArchive,
} from "../archive/read-archive.js";
import { loadTables } from "../engines/load-tables.js";
import { backupError } from "../errors.js";
import { runtimeFolders, type RestorePlan, type RestoreTarget } from "./plan-restore.js";
import { RootSwap } from "./root-swap.js";

/** Space that must stay free, in bytes. */
const RESERVE_BYTES = 16 * 1_024 * 1_024;
/** Caches of the old files, and parts of SQLite files that are replaced. */
const CACHE = join(".dune", "cache");
const SQLITE_PARTS = ["-wal", "-shm", "-journal"];

/** A restore that may begin. */
export interface Restore {
  /** Absolute path of the archive. */
  readonly file: string;
  readonly archive: VerifiedArchive;
  readonly plan: RestorePlan;
  readonly target: RestoreTarget;
  onProgress?(done: number): void;
}

/**
 * Restores an archive as one step: either the whole archive is in place, or the site is as it was, also
 * after a power failure.
 * @throws ERR_ROOT_LOCKED while a server runs, ERR_ROOT_SWAP, ERR_RESTORE_CONFLICT, ERR_RESTORE_SPACE,
 * ERR_RESTORE_WRITE, ERR_BACKUP_DATABASE.
 */
export async function restoreSite(restore: Restore): Promise<void> {
  const { archive, plan, target } = restore;
  const { root } = target;
  assertPossible(plan);
  await assertSpace(root, archive);
  const isNew = !existsSync(root);
  await makeFolder(root, "shared");
  const locks: ProcessLock[] = [];
  try {
    for (const runtime of await runtimeFolders(root, archive)) {
      locks.push(await lockRoot(runtime, () => undefined));
    }
    await swapIn(restore);
  } catch (error) {
    if (isNew) await rm(root, { recursive: true, force: true });
    throw asRestoreError(error);
  } finally {
    for (const lock of locks) lock.release();
  }
}

function assertPossible({ conflicts, database }: RestorePlan): void {
  const [first] = conflicts;
  if (first !== undefined) {
    const more = conflicts.length === 1 ? "" : `, and ${conflicts.length - 1} more`;
    const message = `${JSON.stringify(first.path)} ${first.problem}${more}`;
    throw backupError("ERR_RESTORE_CONFLICT", message, {
      fix: "move it away, or restore into another root",
    });
  }
  if (database !== null && database.problem !== null) {
    throw backupError("ERR_BACKUP_DATABASE", database.problem, {
      fix: "set it, or pass --no-database to restore only the files",
    });
  }
}

async function assertSpace(root: string, { size }: VerifiedArchive): Promise<void> {
  let folder = root;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= size.bytes + RESERVE_BYTES) return;
  const message = `${size.bytes} bytes are restored and ${bavail * bsize} bytes are free`;
  throw backupError("ERR_RESTORE_SPACE", message, { fix: "free space on the disk of the root" });
}

async function swapIn(restore: Restore): Promise<void> {
  const { target, plan } = restore;
  const { root } = target;
  const swap = await RootSwap.begin(root);
  const beside = join(dirname(swap.staging), "beside");
  try {
    await unpack(restore, swap.staging, beside);
    const place = [...plan.added, ...plan.replaced];
    const remove = [...plan.deleted, ...sqliteParts(root, plan.replaced)];
    // Files cached from the old versions.
    await rm(join(root, CACHE), { recursive: true, force: true });
    await applyWithDatabases(restore, beside, (commit) => swap.apply({ place, remove }, commit));
  } finally {
    await swap.close();
  }
}

/** Parts of replaced SQLite files, which would damage the restored ones. */
function sqliteParts(root: string, replaced: readonly string[]): string[] {
  return replaced
    .flatMap((path) => SQLITE_PARTS.map((part) => path + part))
    .filter((path) => existsSync(join(root, path)));
}

async function applyWithDatabases(
  { plan: { database }, target }: Restore,
  beside: string,
  apply: (commit: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const file = database?.file ?? null;
  const withFile = async (commit: () => Promise<void>): Promise<void> => {
    if (file !== null) await putDatabaseFile(join(beside, OUTSIDE_DATABASE), file);
    await commit();
  };
  const url = target.databases?.url;
  if (database === null || database.tables.length === 0 || url === undefined) {
    await apply(() => withFile(async () => undefined));
    return;
  }
  await loadTables(url, join(beside, DATABASE), (commit) => apply(() => withFile(commit)));
}

/** The former database stays beside the restored one. */
async function putDatabaseFile(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  const temporary = temporaryBeside(to);
  await copyFile(from, temporary);
  for (const part of SQLITE_PARTS) await rm(to + part, { force: true });
  if (existsSync(to)) await rename(to, `${to}.before-restore`);
  await rename(temporary, to);
}

async function unpack(
  { file, archive, plan, onProgress }: Restore,
  staging: string,
  beside: string,
): Promise<void> {
  const skipped = new Set(plan.same.map((path) => FILES + path));
  let done = 0;
  await readArchive(file, async (entry) => {
    const { name } = entry;
    const path = name.startsWith(FILES) ? safeJoin(staging, name.slice(FILES.length)) : null;
    const isBeside = name.startsWith(DATABASE) || name === OUTSIDE_DATABASE;
    const to = path ?? (isBeside ? safeJoin(beside, name) : null);
    if (to !== null && !skipped.has(name)) {
      const sha256 = await writeEntry(entry, to);
      // The file was exchanged since its checksums were compared.
      if (archive.files.get(name)?.sha256 !== sha256) throw damaged(`${name} has changed`);
    }
    onProgress?.((done += 1));
  });
}

/** Writes durably; resolves with the checksum. */
async function writeEntry({ bytes, mode, mtimeMs }: ArchiveEntry, to: string): Promise<string> {
  await makeFolder(dirname(to));
  const hash = createHash("sha256");
  const handle = await open(to, "wx", mode | 0o600);
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.chmod(mode | 0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // Half a microsecond more: as a number of seconds, whole milliseconds would be rounded down.
  const time = (mtimeMs + 0.0005) / 1_000;
  await utimes(to, time, time);
  return hash.digest("hex");
}

function asRestoreError(error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof SiteError || !/^E[A-Z]+$/.test(code)) return error;
  const message = `the disk rejects a file of the restore: ${code}`;
  return backupError("ERR_RESTORE_WRITE", message, {
    fix: isDiskFull(code) ? "free space and restore again" : "check the folder's permissions",
    cause: error,
  });
}
