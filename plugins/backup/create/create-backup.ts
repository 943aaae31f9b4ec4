import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { makeFolder, PRIVATE_FILE, ProcessLock, sweepTemporaries } from "#lib/files";
import { readPackage } from "#lib/packages";
import { isRecord } from "#lib/values";
import { readYaml } from "#lib/yaml";
import { readRawConfig } from "#kernel";
import {
  archiveSize,
  DATABASE,
  FILES,
  FORMAT,
  OUTSIDE_DATABASE,
  type ArchivedFile,
  type Head,
} from "../archive/manifest.js";
import { verifyArchive } from "../archive/read-archive.js";
import { writeArchive, type SourceFile } from "../archive/write-archive.js";
import { dumpTables } from "../engines/dump-tables.js";
import { backupError } from "../errors.js";
import { inside } from "./retention.js";
import { listFolders, createScope, type Folders } from "./scope.js";
import { takeSnapshot, type Snapshot, copySqlite } from "./snapshot.js";

/** The addresses of a site's databases. */
export interface DatabasePlaces {
  /** SITE_DB_URL. */
  readonly url: string | undefined;
  /** SITE_DB_PATH. */
  readonly path: string | undefined;
}
/** Options of a backup. */
export interface BackupOptions {
  /** Absolute. */
  readonly root: string;
  /** Absolute path of the archive. */
  readonly out: string;
  readonly withSecrets: boolean;
  /** Null: without databases. */
  readonly databases: DatabasePlaces | null;
  /** Relative paths to leave out. */
  readonly exclude: readonly string[];
  /** Unix ms. */
  readonly now: number;
  onProgress?(done: number, total: number): void;
}
/** The result of a backup. */
export interface BackupReport {
  /** Absolute path. */
  readonly file: string;
  readonly createdAt: string;
  readonly files: number;
  /** Bytes before compression. */
  readonly bytes: number;
  readonly databases: readonly string[];
  readonly leftOut: Snapshot["leftOut"];
  readonly consistent: boolean;
  readonly secrets: boolean;
}

/**
 * Makes one archive of a site, which may be served meanwhile. Loads no plugin, so that it works for a site
 * that does not start.
 * @throws ERR_BACKUP_BUSY, ERR_BACKUP_WRITE, ERR_BACKUP_VERIFY, ERR_BACKUP_CHANGED, ERR_BACKUP_DATABASE, ERR_CONFIG_ROOT.
 */
export async function createBackup(options: BackupOptions): Promise<BackupReport> {
  const folders = await listFolders(options.root);
  const work = join(options.root, ".dune", "cache", "backup");
  const lock = await ProcessLock.acquire(join(work, "backup.lock"), {
    locked: () =>
      backupError("ERR_BACKUP_BUSY", "another process makes a backup of this site root", {
        fix: "wait until it has ended",
      }),
  });
  // Half an archive of a backup that was killed, in a folder that no start of the site looks at.
  const swept = sweepTemporaries(dirname(options.out), { isDeep: false }).catch(() => undefined);
  try {
    await removeLeftovers(work);
    const folder = join(work, randomBytes(6).toString("hex"));
    await makeFolder(folder);
    return await archive(options, folders, folder);
  } finally {
    await removeLeftovers(work);
    await swept;
    lock.release();
  }
}

/** Copies of a backup that was killed. */
async function removeLeftovers(work: string): Promise<void> {
  for (const name of await readdir(work)) {
    if (/^[0-9a-f]{12}$/.test(name)) await rm(join(work, name), { recursive: true, force: true });
  }
}

async function archive(
  options: BackupOptions,
  folders: Folders,
  folder: string,
): Promise<BackupReport> {
  const { root, out, withSecrets, exclude, databases } = options;
  const below = inside(root, out);
  const scope = createScope(root, folders, {
    withSecrets,
    exclude: below === null ? exclude : [...exclude, below],
  });
  const tables = await dumpTables(databases?.url, join(folder, "database"));
  const sqlite = await outsideDatabase(root, databases?.path, folder);
  const snapshot = await takeSnapshot(scope, join(folder, "files"));
  const files: SourceFile[] = [
    ...snapshot.files.map(({ path, ...file }) => ({ ...file, name: FILES + path })),
    ...tables.files.map((file) => ({ ...file, name: DATABASE + file.name })),
    ...sqlite,
  ];
  const head = await toHead(options, folders.runtime);
  const schemas = { flex: await flexVersions(snapshot), database: tables.migrations };
  const archived = await writeArchive(out, {
    head,
    files,
    rest: { schemas, leftOut: [...snapshot.leftOut], consistent: snapshot.isConsistent },
    verify,
    onProgress: (done) => options.onProgress?.(done, files.length),
  });
  return toReport(archived, head, out, snapshot);
}

/** Reads the archive by the rules of `site restore`: what is reported as saved can be restored. */
async function verify(file: string): Promise<void> {
  try {
    await verifyArchive(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the archive that was written cannot be restored: ${reason}`;
    throw backupError("ERR_BACKUP_VERIFY", message, {
      fix: "check the disk, or name the file in backup.exclude",
      cause: error,
    });
  }
}

function toReport(
  archived: readonly ArchivedFile[],
  head: Head,
  out: string,
  { leftOut, isConsistent }: Snapshot,
): BackupReport {
  const databases = archived
    .map(({ path }) => path)
    .filter((path) => path.endsWith(".ndjson") || path === OUTSIDE_DATABASE);
  return {
    file: out,
    createdAt: head.createdAt,
    ...archiveSize(archived),
    databases,
    leftOut,
    consistent: isConsistent,
    secrets: head.secrets,
  };
}

async function toHead(
  { root, withSecrets, now }: BackupOptions,
  runtimeDir: string,
): Promise<Head> {
  const { site } = await readRawConfig(root);
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return {
    format: FORMAT,
    product: "sitewright",
    version: readPackage().version,
    createdAt: new Date(now).toISOString(),
    site: { title: text(site["title"]), url: text(site["url"]) },
    secrets: withSecrets,
    runtimeDir,
  };
}

/** The account database of SITE_DB_PATH, unless it lies in the root like any other file. */
async function outsideDatabase(
  root: string,
  path: string | undefined,
  folder: string,
): Promise<SourceFile[]> {
  const from = path === undefined ? null : resolve(root, path);
  if (from === null || inside(root, from) !== null || !existsSync(from)) return [];
  const file = join(folder, "accounts.sqlite");
  try {
    if (!(await copySqlite(from, file))) throw new Error("it is not an SQLite database");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw backupError("ERR_BACKUP_DATABASE", `SITE_DB_PATH cannot be read: ${reason}`, { cause });
  }
  const { size, mtimeMs } = await stat(file);
  return [{ name: OUTSIDE_DATABASE, file, size, mode: PRIVATE_FILE, mtimeMs }];
}

/** `version` of each flex type. */
async function flexVersions({ files }: Snapshot): Promise<Record<string, number>> {
  const versions: Record<string, number> = {};
  for (const { path, file } of files) {
    const [, type] = /^flex-objects\/([^/]+)\.yaml$/.exec(path) ?? [];
    if (type === undefined) continue;
    const version = readVersion(await readFile(file, "utf8"));
    if (version !== null) versions[type] = version;
  }
  return versions;
}

function readVersion(text: string): number | null {
  const { values } = readYaml(text);
  const version = isRecord(values) ? values["version"] : undefined;
  return typeof version === "number" && Number.isInteger(version) && version >= 0 ? version : null;
}
