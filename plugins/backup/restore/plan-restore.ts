import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readRuntimeFolder } from "#kernel";
import { DATABASE, FILES, OUTSIDE_DATABASE, type ArchivedFile } from "../archive/manifest.js";
import type { VerifiedArchive } from "../archive/read-archive.js";
import type { DatabasePlaces } from "../create/create-backup.js";
import { filesInScope, listFolders, createScope } from "../create/scope.js";
import { isPostgresUrl } from "../engines/dump-tables.js";
import { listTables } from "../engines/load-tables.js";

/** The effects of a restore; paths are relative to the root. */
export interface RestorePlan {
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  /** Files that are the same already. */
  readonly same: readonly string[];
  /** Files of the site that the archive does not have. They stay, unless `--exact` deletes them. */
  readonly left: readonly string[];
  readonly deleted: readonly string[];
  readonly conflicts: readonly { path: string; problem: string }[];
  readonly database: DatabasePlan | null;
}
/** The effects of a restore on databases. */
export interface DatabasePlan {
  /** Tables of the archive. */
  readonly tables: readonly string[];
  /** Tables that would be dropped first, and the SQLite file if it exists. */
  readonly replaced: readonly string[];
  /** Absolute path that the SQLite file is written to. */
  readonly file: string | null;
  /** The reason why the databases of the archive cannot be restored; null: they can. */
  readonly problem: string | null;
}
/** The target of a restore, and how it treats other files. */
export interface RestoreTarget {
  /** Absolute; may not exist. */
  readonly root: string;
  /** True: files that the archive does not have are deleted. */
  readonly isExact: boolean;
  /** Null: databases are left out. */
  readonly databases: DatabasePlaces | null;
}

/** Compares an archive with a site root. Writes nothing. @throws ERR_BACKUP_DATABASE. */
export async function planRestore(
  archive: VerifiedArchive,
  target: RestoreTarget,
): Promise<RestorePlan> {
  const { root, isExact } = target;
  const changes = { added: [] as string[], replaced: [] as string[], same: [] as string[] };
  const conflicts: { path: string; problem: string }[] = [];
  const paths = new Set<string>();
  for (const { path: name, sha256, size } of archive.files.values()) {
    if (!name.startsWith(FILES)) continue;
    const path = name.slice(FILES.length);
    paths.add(path);
    const problem = await findConflict(root, path);
    if (problem !== null) conflicts.push({ path, problem });
    else changes[await compareFile(join(root, path), { sha256, size })].push(path);
  }
  const others = await listOthers(root, archive, paths);
  return {
    ...changes,
    left: isExact ? [] : others,
    deleted: isExact ? others : [],
    conflicts,
    database: await planDatabase(archive, target),
  };
}

/** A link in the way would lead the restored file elsewhere. */
async function findConflict(root: string, path: string): Promise<string | null> {
  const current = await lstat(join(root, path)).catch(() => null);
  if (current !== null && !current.isFile()) {
    return current.isDirectory() ? "is a folder" : "is not a plain file";
  }
  for (let at = dirname(path); at !== "."; at = dirname(at)) {
    const stats = await lstat(join(root, at)).catch(() => null);
    // A folder right below the root may be on another disk.
    if (stats?.isSymbolicLink() === true && dirname(at) === ".") continue;
    if (stats !== null && !stats.isDirectory()) return `${at} is not a folder`;
  }
  return null;
}

async function compareFile(
  file: string,
  expected: Pick<ArchivedFile, "sha256" | "size">,
): Promise<"added" | "replaced" | "same"> {
  const stats = await lstat(file).catch(() => null);
  if (stats === null) return "added";
  if (stats.size !== expected.size) return "replaced";
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex") === expected.sha256 ? "same" : "replaced";
}

/** Files of the root that a backup of it would have and this archive has not. */
async function listOthers(
  root: string,
  { head }: VerifiedArchive,
  paths: ReadonlySet<string>,
): Promise<string[]> {
  if (!existsSync(root)) return [];
  const folders = await listFolders(root);
  const scope = createScope(root, folders, { withSecrets: head.secrets, exclude: [] });
  const others: string[] = [];
  for await (const { path, kind } of filesInScope(scope)) {
    if (kind === "file" && !paths.has(path)) others.push(path);
  }
  return others.toSorted();
}

async function planDatabase(
  { files }: VerifiedArchive,
  { root, databases }: RestoreTarget,
): Promise<DatabasePlan | null> {
  const tables = [...files.keys()]
    .filter((name) => name.startsWith(DATABASE) && name.endsWith(".ndjson"))
    .map((name) => name.slice(DATABASE.length, -".ndjson".length));
  const hasFile = files.has(OUTSIDE_DATABASE);
  if (databases === null || (tables.length === 0 && !hasFile)) return null;
  const { url, path } = databases;
  const file = hasFile && path !== undefined ? resolve(root, path) : null;
  const needsUrl = tables.length > 0 && !isPostgresUrl(url);
  const replaced = tables.length > 0 && isPostgresUrl(url) ? await listTables(url) : [];
  const replacedFiles = [file].flatMap((at) => (at !== null && existsSync(at) ? [at] : []));
  const problem = findProblem(needsUrl, hasFile && file === null);
  return { tables, replaced: [...replaced, ...replacedFiles], file, problem };
}

function findProblem(needsUrl: boolean, needsPath: boolean): string | null {
  if (needsUrl) return "the archive has tables of PostgreSQL and SITE_DB_URL is not set";
  return needsPath ? "the archive has an SQLite database and SITE_DB_PATH is not set" : null;
}

/** The runtime folders that a server of this root, or of the restored one, locks. */
export async function runtimeFolders(root: string, { head }: VerifiedArchive): Promise<string[]> {
  const current = existsSync(root) ? [await readRuntimeFolder(root)] : [];
  return [...new Set([...current, head.runtimeDir])].map((name) => join(root, name));
}
