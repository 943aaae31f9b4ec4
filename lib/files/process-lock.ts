import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, readlinkSync } from "node:fs";
import { open, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hostname } from "node:os";
import { z } from "zod";
import { errorCode, SiteError } from "#lib/errors";
import { FileLock } from "./file-lock.js";
import { makeFolder, PRIVATE_FILE } from "./files.js";

/** Identifies one process uniquely: a process id is reused after its process ends. */
export const processShape = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Changes with each boot of the machine; null where the system has no such id. */
  boot: z.string().nullable(),
  /** Containers number their processes from 1; null where there are none. */
  namespace: z.string().nullable(),
  /** Start time of the process, in clock ticks since boot; null when unknown. */
  started: z.string().nullable(),
});
/** A process of a machine, told from a later one with the same number. */
type ProcessIdentity = z.infer<typeof processShape>;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  const boot = readOrNull("/proc/sys/kernel/random/boot_id");
  return { pid, host: hostname(), boot, namespace: ownNamespace(), started: readStart(pid) };
}

/**
 * Whether a process still runs; null when unknown: it belongs to another machine or container.
 */
export function isAlive(other: ProcessIdentity): boolean | null {
  const identity = ownIdentity();
  const isSamePlace =
    identity.boot === null
      ? other.boot === null && identity.host === other.host
      : identity.boot === other.boot && identity.namespace === other.namespace;
  if (!isSamePlace) return null;
  if (other.started === null)
    return other.pid === identity.pid || isAnotherRunning(other.pid) ? null : false;
  return readStart(other.pid) === other.started;
}

/** True when another process of this machine has this id. */
export function isAnotherRunning(pid: number): boolean {
  // A restarted process, as in a container, may have the same id as before.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    // Signal 0 only checks.
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, but may not be signalled.
    return errorCode(error) === "EPERM";
  }
}

/** Field 22 of `/proc/{pid}/stat`; field 2, the name, may contain spaces and brackets. */
function readStart(pid: number): string | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function ownNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
}

/** Heartbeat interval of a holder, in ms. */
const BEAT_MS = 1_000;
/** A holder that this process cannot look up is dead after this time without a heartbeat, in ms. */
const SILENT_MS = 5_000;
const POLL_MS = 250;

const recordShape = processShape.extend({
  token: z.string(),
  since: z.string(),
  /** Inode of its file: a copy of the folder has another one. */
  inode: z.string(),
});
type LockRecord = z.infer<typeof recordShape>;

/** The holder of a lock. */
export interface LockHolder extends ProcessIdentity {
  /** ISO time. */
  readonly since: string;
}

/** Options of a lock that may be taken. */
export interface TryLockOptions {
  /** Called when another process has taken the lock over, after this one gave no sign of life. */
  onLost?(): void;
}
/** Options of a lock that must be taken. */
export interface ProcessLockOptions extends TryLockOptions {
  /** The error for a lock that another process holds; null when its file names none. */
  locked(holder: LockHolder | null): SiteError;
}

/**
 * A lock that one process holds until it releases it or ends, however it ends: for servers, owners of
 * jobs and exports. Another process fails at once instead of waiting; for one piece of work take a
 * `FileLock`. Its file says who the holder is, and the holder touches it every second. A holder of this machine is looked up by process
 * id and start time; one in another container or on another machine is watched for a sign of life.
 */
export class ProcessLock {
  readonly #file: string;
  readonly #token = randomUUID();
  readonly #options: TryLockOptions;
  readonly #onExit = (): void => this.release();
  #timer: NodeJS.Timeout | null = null;

  private constructor(file: string, options: TryLockOptions) {
    this.#file = file;
    this.#options = options;
  }

  /**
   * Creates the folder of the file and takes the lock. Waits up to five seconds for a heartbeat.
   * @throws the error of `locked`.
   */
  static async acquire(file: string, options: ProcessLockOptions): Promise<ProcessLock> {
    const lock = new ProcessLock(file, options);
    const holder = await lock.#take();
    if (holder !== null) throw options.locked(holder.record);
    return lock;
  }

  /** Works like `acquire`, but resolves with null for a lock that another process holds. */
  static async tryAcquire(file: string, options: TryLockOptions): Promise<ProcessLock | null> {
    const lock = new ProcessLock(file, options);
    return (await lock.#take()) === null ? lock : null;
  }

  /** False once another process has taken the lock over, or after its release. */
  isHeld(): boolean {
    return readSync(this.#file)?.token === this.#token;
  }

  /** Removes the file, if it is still this lock's. */
  release(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    process.off("exit", this.#onExit);
    if (this.isHeld()) rmSync(this.#file, { force: true });
  }

  /** Null when the lock is taken, else its holder. */
  async #take(): Promise<LockState | null> {
    await makeFolder(dirname(this.#file));
    const seen = await readState(this.#file);
    if (seen !== null && (await isGuarded(this.#file, seen))) return seen;
    const claims = new FileLock(`${this.#file}.claim`, {
      code: "ERR_ROOT_LOCKED",
      message: "another process is taking the lock",
      fix: "try again",
    });
    const faster = await claims.run(async () => {
      const now = await readState(this.#file);
      if (now !== null && now.text !== seen?.text) return now;
      // Removed, not overwritten: the new file has an inode of its own.
      rmSync(this.#file, { force: true });
      await this.#write();
      return null;
    });
    if (faster !== null) return faster;
    this.#timer = setInterval(() => void this.#beat().catch(() => undefined), BEAT_MS);
    this.#timer.unref();
    process.once("exit", this.#onExit);
    return null;
  }

  async #write(): Promise<void> {
    const handle = await open(this.#file, "wx", PRIVATE_FILE);
    try {
      const { ino } = await handle.stat({ bigint: true });
      const since = new Date().toISOString();
      const record = { ...ownIdentity(), since, token: this.#token, inode: String(ino) };
      await handle.writeFile(`${JSON.stringify(record)}\n`);
    } catch (error) {
      // Without its record the file would keep others waiting for a sign of life.
      rmSync(this.#file, { force: true });
      throw withPath(error, this.#file);
    } finally {
      await handle.close();
    }
  }

  /** Sends a heartbeat; a deleted file is written again. */
  async #beat(): Promise<void> {
    const state = await readState(this.#file);
    if (this.#timer === null) return;
    if (state === null) return this.#write();
    if (state.record?.token === this.#token) {
      const now = new Date();
      await utimes(this.#file, now, now);
    } else if (state.record !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
      this.#options.onLost?.();
    }
  }
}

/** Errors of an open file do not name it. */
function withPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

/** The content of a lock's file, and its stamp. */
interface LockState {
  readonly text: string;
  readonly record: LockRecord | null;
  readonly inode: string;
  readonly mtimeMs: number;
}

async function isGuarded(file: string, seen: LockState): Promise<boolean> {
  const { record } = seen;
  const alive = record === null ? null : isAlive(record);
  if (alive === false) return false;
  if (alive === true && record?.inode === seen.inode) return true;
  return givesSignOfLife(file, seen);
}

/** Clocks of two machines differ: detect changes instead of comparing times. */
async function givesSignOfLife(file: string, seen: LockState): Promise<boolean> {
  for (const end = performance.now() + SILENT_MS; performance.now() < end;) {
    await delay(POLL_MS);
    const now = await readState(file);
    if (now === null) return false;
    if (now.text !== seen.text || now.mtimeMs !== seen.mtimeMs) return true;
  }
  return false;
}

/** Null when there is no file. Opens it: a network file system shows a fresh time only then. */
async function readState(file: string): Promise<LockState | null> {
  let handle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const { ino, mtimeMs } = await handle.stat({ bigint: true });
    const text = await handle.readFile("utf8");
    return { text, record: parse(text), inode: String(ino), mtimeMs: Number(mtimeMs) };
  } finally {
    await handle.close();
  }
}

/** The holder that the file of a lock names; null without a file that names one. */
export function readHolder(file: string): LockHolder | null {
  return readSync(file);
}

function readSync(file: string): LockRecord | null {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

function parse(text: string): LockRecord | null {
  try {
    return recordShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Name of the lock file, in the runtime folder. */
export const SERVER_LOCK = "server.lock";

/**
 * Makes this process the only server of `runtime` until it exits: two servers would overwrite each
 * other's files. `onLost` is called when another server has taken over the folder.
 * @throws ERR_ROOT_LOCKED with process, host and start time of the other server.
 */
export function lockRoot(runtime: string, onLost: () => void): Promise<ProcessLock> {
  return ProcessLock.acquire(join(runtime, SERVER_LOCK), { locked, onLost });
}

/** The process that serves `runtime`, whether it still runs or not; null: none does. */
export function rootHolder(runtime: string): LockHolder | null {
  return readHolder(join(runtime, SERVER_LOCK));
}

function locked(holder: LockHolder | null): SiteError {
  const who = holder === null ? "another process" : `process ${holder.pid}`;
  const where =
    holder === null ? "" : ` (on ${JSON.stringify(holder.host)}, since ${holder.since})`;
  return new SiteError("ERR_ROOT_LOCKED", `${who} serves this site root${where}`, {
    fix: "stop it, or serve another root",
  });
}
