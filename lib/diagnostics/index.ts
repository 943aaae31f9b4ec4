/** Findings of `site doctor`, and checks that several plugins share. Runs in Node.js. */
import { chmod, lstat, opendir, readFile, realpath } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { within } from "#lib/concurrency";
import { errorCode } from "#lib/errors";
import { isTemporary } from "#lib/files";
import {
  createPostgresPool,
  describePostgresError,
  isPostgresUrl,
  RedisConnection,
} from "#lib/databases";

/** Longest wait for a store, in ms. */
const LIMIT_MS = 8_000;
/** Longest wait for the end of its connections, in ms. */
const END_MS = 500;

/** Tells whether a site uses a store; a text: the address, when it is not that of the variable. */
type Uses<S> = (settings: S) => boolean | string;
/** The settings and variables of a site. */
interface StorePlace<S> {
  readonly settings: S;
  readonly env: { get(name: string): string | undefined };
}

/** Connects to Redis where the site uses it. */
export function redisCheck<S>(uses: Uses<S>): NamedCheck<StorePlace<S>> {
  return {
    name: "redis",
    run: async ({ settings, env }) => {
      const used = uses(settings);
      if (used === false) return [];
      const url = typeof used === "string" ? used : env.get("SITE_REDIS_URL");
      const fix = "start Redis, or correct host, port, user and password of SITE_REDIS_URL";
      if (url === undefined) return [{ level: "error", seen: "SITE_REDIS_URL is not set", fix }];
      return pingRedis(url, fix);
    },
  };
}

async function pingRedis(url: string, fix: string): Promise<readonly Finding[]> {
  let lastError: unknown = null;
  const connection = new RedisConnection(url, (error) => (lastError = error));
  try {
    const asked = connection.client().then(async (client) => {
      const [seconds = ""] = await client.sendCommand<string[]>(["TIME"]);
      return Number(seconds) * 1_000 - Date.now();
    });
    const skew = await within(LIMIT_MS, asked, () => {
      throw new Error(`no response within ${LIMIT_MS} ms`);
    });
    return [{ level: "ok", seen: "Redis responds" }, skewFinding("Redis", skew)];
  } catch (error) {
    const reason = describeFailure(lastError ?? error);
    return [{ level: "error", seen: `Redis does not respond: ${reason}`, fix }];
  } finally {
    await within(END_MS, connection.close(), () => undefined);
  }
}

/** Connects to PostgreSQL where the site uses it; it does not start without. */
export function postgresCheck<S>(
  uses: Uses<S>,
): NamedCheck<StorePlace<S>> & { readonly isNeeded: true } {
  return {
    name: "postgres",
    isNeeded: true,
    run: async ({ settings, env }) => {
      if (uses(settings) === false) return [];
      const url = env.get("SITE_DB_URL");
      const fix = "start PostgreSQL, or correct host, port, user and password of SITE_DB_URL";
      if (!isPostgresUrl(url)) {
        return [{ level: "error", seen: "SITE_DB_URL is not a postgres:// URL", fix }];
      }
      return askPostgres(url, fix);
    },
  };
}

async function askPostgres(url: string, fix: string): Promise<readonly Finding[]> {
  const pool = await createPostgresPool({ url, connections: 1, connectMs: LIMIT_MS });
  try {
    const asked = pool.query<{ ms: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms",
    );
    const { rows } = await within(LIMIT_MS, asked, () => {
      throw new Error(`no response within ${LIMIT_MS / 1_000} seconds`);
    });
    const skew = (rows[0]?.ms ?? Date.now()) - Date.now();
    return [{ level: "ok", seen: "PostgreSQL responds" }, skewFinding("PostgreSQL", skew)];
  } catch (error) {
    const seen = `PostgreSQL does not respond: ${describePostgresError(error)}`;
    return [{ level: "error", seen, fix }];
  } finally {
    await within(END_MS, pool.end(), () => undefined);
  }
}

/** Several addresses of a name fail together, in an error without a message. */
function describeFailure(error: unknown): string {
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return inner.map((one) => (one instanceof Error ? one.message : String(one))).join("; ");
}

/** A folder in which a store writes JSON files. */
export interface JsonFolder {
  /** Absolute; it need not exist. */
  readonly path: string;
  /** The parser of the store: null for a text that it cannot use. Default: every JSON is right. */
  parse?(text: string): unknown;
  /** Names of folders in it that are left out; true: all. */
  readonly without?: ReadonlySet<string> | true;
}

/** Files that are read. */
const MAX_FILES = 50_000;
/** Damaged files that are listed. */
const MAX_DAMAGED = 20;

/** A check of `site doctor`: the stores can read the JSON files that they have written. */
export function jsonFilesCheck<P extends RootedPlace>(
  foldersOf: (place: P) => readonly JsonFolder[],
): NamedCheck<P> {
  return {
    name: "stored files",
    run: async (place) => {
      const found = await Promise.all(foldersOf(place).map(damagedIn));
      const damaged = found.flat();
      const listed = damaged.slice(0, MAX_DAMAGED).map(({ file, reason }): Finding => {
        const name = relative(place.paths.root, file);
        const fix = `restore it from a backup, or delete what it contains: rm ${name}`;
        return { level: "error", seen: `${name} is damaged: ${reason}`, fix };
      });
      const others = damaged.length - listed.length;
      if (others === 0) return listed;
      const seen = `${others} more files are damaged`;
      return [...listed, { level: "error", seen, fix: "restore them from a backup" }];
    },
  };
}

/** A file, absolute, and why it cannot be used. */
interface DamagedFile {
  readonly file: string;
  readonly reason: string;
}

async function damagedIn(folder: JsonFolder): Promise<DamagedFile[]> {
  const { path: top, without = new Set() } = folder;
  const root = await realpath(top).catch(() => null);
  if (root === null) return [];
  const isWanted = ({ path, isFolder }: Entry): boolean => {
    if (path === root) return true;
    if (isFolder) return without !== true && !without.has(basename(path));
    return path.endsWith(".json") && !isTemporary(basename(path));
  };
  const damaged: DamagedFile[] = [];
  let count = 0;
  for await (const { path, isFolder } of listEntries(root, isWanted)) {
    if (isFolder) continue;
    if ((count += 1) > MAX_FILES) break;
    const reason = await readReason(path, folder);
    if (reason !== null) damaged.push({ file: join(top, relative(root, path)), reason });
  }
  return damaged;
}

/** Why a store cannot use a file; null: it can, or has removed it. */
async function readReason(path: string, { parse }: JsonFolder): Promise<string | null> {
  try {
    const text = await readFile(path, "utf8");
    JSON.parse(text);
    return parse === undefined || parse(text) !== null ? null : "fields are missing or wrong";
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    return error instanceof SyntaxError ? "it is no valid JSON" : errorCode(error);
  }
}

/** Bits of a mode that concern other users than the owner. */
export const OTHERS = 0o077;

/** A file or folder, absolute. */
interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** A site with the path of its root. */
interface RootedPlace {
  readonly paths: { readonly root: string };
}

/**
 * A check of `site doctor`: only the owner can read what is in these folders. Earlier versions created
 * some of them with modes that allow more; `--fix` corrects these. `foldersOf`: absolute paths; those
 * that do not exist are left out.
 */
export function privateFoldersCheck<P extends RootedPlace>(
  foldersOf: (place: P) => readonly string[],
): NamedCheck<P> {
  return {
    name: "private folders",
    run: async (place) => {
      if (process.platform === "win32") return [];
      const folders = foldersOf(place);
      const findings = await Promise.all(folders.map((folder) => findingOf(place, folder)));
      return findings.flatMap((finding) => finding ?? []);
    },
  };
}

async function findingOf({ paths }: RootedPlace, folder: string): Promise<Finding | null> {
  const top = await realpath(folder).catch(() => null);
  if (top === null) return null;
  const inside = relative(paths.root, folder);
  const name = inside.startsWith("..") ? folder : inside;
  let count = 0;
  let example: Entry | null = null;
  // Others cannot read the files of a folder that only its owner can open.
  for await (const entry of listEntries(top, (one) => (one.mode & OTHERS) !== 0)) {
    count += 1;
    example = entry;
  }
  if (example === null) return { level: "ok", seen: `only the owner of ${name} can read it` };
  const mode = (example.mode & 0o777).toString(8);
  const last = join(name, relative(top, example.path));
  return {
    level: "warning",
    seen: `other users of this machine can read ${name}: ${count} files and folders, such as ${last} (mode ${mode})`,
    fix: `chmod -R go= ${name}`,
    repair: async () => {
      for await (const entry of listEntries(top, () => true)) {
        if ((entry.mode & OTHERS) !== 0) await chmod(entry.path, entry.mode & 0o700);
      }
      return `chmod -R go= ${name}`;
    },
  };
}

/** The entries that `isWanted` accepts, without what is in a folder that it rejects; links are left out. */
async function* listEntries(
  top: string,
  isWanted: (entry: Entry) => boolean,
): AsyncGenerator<Entry> {
  const pending = [top];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stats = await lstat(path).catch(() => null);
    if (stats === null || !(stats.isDirectory() || stats.isFile())) continue;
    const entry = { path, mode: stats.mode, isFolder: stats.isDirectory() };
    if (!isWanted(entry)) continue;
    yield entry;
    if (!entry.isFolder) continue;
    for await (const { name } of await opendir(path)) pending.push(join(path, name));
  }
}

/** `error`: something does not work. `warning`: it works, but not for long, or not safely. */
export type FindingLevel = "ok" | "warning" | "error";
/** The result of a check. Texts contain no secrets. */
export interface Finding {
  readonly level: FindingLevel;
  /** `Redis responds`. */
  readonly seen: string;
  /** Tells how to fix it; absent for `ok`. */
  readonly fix?: string;
  /** Does so, when that is safe without a person: `--fix` runs it. Resolves with what it did. */
  repair?(): Promise<string>;
}
/** A check by name; `P`: what it receives of the site. */
export interface NamedCheck<P> {
  readonly name: string;
  run(place: P): Promise<readonly Finding[]>;
}

/** Difference between two clocks that counts as wrong, in ms. */
const SKEW_MS = 5_000;

/** A finding about the clock of a store; `skewMs`: its time minus ours. */
export function skewFinding(store: string, skewMs: number): Finding {
  const seconds = Math.round(skewMs / 1_000);
  if (Math.abs(skewMs) <= SKEW_MS) return { level: "ok", seen: `the clock agrees with ${store}` };
  const seen = `the clock of ${store} differs by ${seconds} seconds`;
  return { level: "warning", seen, fix: "set both clocks, for example with NTP" };
}
