/** Selects the files of a site root that belong to a backup. */
import { lstat, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, readRawConfig, readRuntimeFolder } from "#kernel";
import { isTemporary } from "#lib/files";

/** Names of folders that belong to other programs, at any depth. */
const FOREIGN: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** A static export puts this file into its folder. */
const EXPORT_MANIFEST = ".site-export.json";
/** Logins: a restored one could be one that was ended since. */
const SESSIONS: readonly string[] = ["sessions", "sessions.sqlite"];
/** Files with the secrets of the environment, and with the tokens of package registries. */
const SECRET_FILE = /^(?:\.env(?:\.(?!example$|sample$|template$).+)?|\.npmrc|\.netrc)$/;
/** Files beside an SQLite file that only an open connection can use. */
const SQLITE_PART = /\.(?:sqlite3?|db)-(?:wal|shm|journal)$/;
/** Archives, wherever they lie. */
const BACKUP_FILE = /^backup-[\dTZ-]+\.tar\.gz$/;
const LOCK_FILE = /^(?:.+\.(?:lock|claim)|\.owner)$/;

/** The limits of a walk through a site root. */
export interface Scope {
  /** Absolute. */
  readonly root: string;
  /** Relative paths that are left out, with all below them. */
  readonly without: ReadonlySet<string>;
  /** Relative folders in which `*.lock` files are locks of processes. */
  readonly machine: readonly string[];
  readonly withSecrets: boolean;
}
/** Options of a scope. */
export interface ScopeOptions {
  withSecrets: boolean;
  /** Relative paths. */
  exclude: readonly string[];
}
/** The folders of a site, as its configuration names them; relative to the root. */
export interface Folders {
  readonly runtime: string;
  readonly images: string;
}
/** A file or link that was found. `path` is relative to the root, with slashes. */
export interface Found {
  readonly path: string;
  readonly kind: "file" | "link" | "secret" | "export" | "other" | "notUtf8";
}

/** The folders of a site, without loading a plugin: also for a site that does not start. */
export async function listFolders(root: string): Promise<Folders> {
  const { system } = await readRawConfig(root);
  const images = isRecord(system["images"]) ? system["images"]["cache_dir"] : undefined;
  return {
    runtime: await readRuntimeFolder(root),
    images: typeof images === "string" && images !== "" ? clean(images) : ".dune/cache/images",
  };
}

/** The scope of a root. */
export function createScope(root: string, folders: Folders, options: ScopeOptions): Scope {
  const { runtime, images } = folders;
  const derived = [".dune/cache", ".dune/swap", ".dune/backups", images];
  const without = [...derived, ...SESSIONS.map((name) => `${runtime}/${name}`), ...options.exclude];
  return {
    root,
    without: new Set(without.map(clean)),
    machine: [".dune", clean(runtime)],
    withSecrets: options.withSecrets,
  };
}

/**
 * All files in scope, and what is left out although a user may miss it. Does not follow links, except for
 * folders right below the root, such as a `content` on another disk.
 */
export async function* filesInScope(scope: Scope): AsyncGenerator<Found> {
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await listEntries(scope, folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!isWanted(scope, path, entry.name)) continue;
      if (entry.isFolder && (await isExport(scope, path))) yield { path, kind: "export" };
      else if (entry.isFolder) pending.push(path);
      else if (entry.kind === "file" && isSecret(scope, entry.name)) yield { path, kind: "secret" };
      else yield { path, kind: entry.kind };
    }
  }
}

/** True for a file that holds an SQLite database, by its name. */
export function isSqliteName(path: string): boolean {
  return /\.(?:sqlite3?|db)$/.test(path);
}

interface Entry {
  name: string;
  isFolder: boolean;
  kind: "file" | "link" | "other" | "notUtf8";
}

async function listEntries({ root }: Scope, folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of await opendir(join(root, folder))) {
    if (entry.name.includes("\uFFFD") && !(await exists(join(root, folder, entry.name)))) {
      // The name is not UTF-8, so nothing below it can be opened.
      entries.push({ name: entry.name, isFolder: false, kind: "notUtf8" });
      continue;
    }
    const isLink = entry.isSymbolicLink();
    const leads = isLink && folder === "" && (await isFolderLink(join(root, entry.name)));
    const kind = isLink ? "link" : entry.isFile() ? "file" : "other";
    entries.push({ name: entry.name, isFolder: entry.isDirectory() || leads, kind });
  }
  return entries;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isFolderLink(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function isWanted({ without, machine }: Scope, path: string, name: string): boolean {
  if (FOREIGN.has(name) || isTemporary(name) || without.has(path)) return false;
  if (SQLITE_PART.test(name) || BACKUP_FILE.test(name)) return false;
  const isOfMachine = machine.some((folder) => path.startsWith(`${folder}/`));
  return !(isOfMachine && LOCK_FILE.test(name));
}

function isSecret({ withSecrets }: Scope, name: string): boolean {
  return !withSecrets && SECRET_FILE.test(name);
}

async function isExport({ root }: Scope, path: string): Promise<boolean> {
  return stat(join(root, path, EXPORT_MANIFEST)).then(
    () => true,
    () => false,
  );
}

/** `./a//b/` as `a/b`. */
function clean(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}
