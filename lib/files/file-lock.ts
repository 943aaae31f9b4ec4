import { dirname } from "node:path";
import lockfile from "proper-lockfile";
import { SiteError } from "#lib/errors";
import { KeyedLock } from "#lib/concurrency";
import { makeFolder } from "./files.js";

/** A lock without updates for this long belongs to a process that died, in ms. */
const STALE_MS = 3_000;
const RETRY_MS = 40;
/** Maximum number of attempts: longer than a dead owner's lock takes to become stale. */
const RETRIES = 150;

/** The error when another process holds the lock for too long. */
export interface LockedError {
  code: string;
  message: string;
  fix: string;
}

/**
 * One piece of work at a time, among the requests of this process and other processes; the next one
 * waits. The lock is an empty folder, which version control does not see. Within one process
 * `KeyedLock` is enough; for as long as a process runs, take a `ProcessLock`.
 */
export class FileLock {
  readonly #path: string;
  readonly #locked: LockedError;
  readonly #queue = new KeyedLock();

  /** `path`: of the lock; its parent folder is created when missing. */
  constructor(path: string, locked: LockedError) {
    this.#path = path;
    this.#locked = locked;
  }

  /** Runs `work` exclusively. @throws SiteError 503 with the code of `locked` after 6 s. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run("write", async () => {
      await makeFolder(dirname(this.#path));
      const release = await this.#acquire();
      try {
        return await work();
      } finally {
        // Another process has taken over this lock as stale: it is no longer ours to remove.
        await release().catch(() => undefined);
      }
    });
  }

  async #acquire(): Promise<() => Promise<void>> {
    const folder = dirname(this.#path);
    try {
      return await lockfile.lock(folder, {
        lockfilePath: this.#path,
        realpath: false,
        stale: STALE_MS,
        update: STALE_MS / 3,
        retries: { retries: RETRIES, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
        // Losing the lock to a process that considered us dead must not end this one: each write is atomic,
        // and indexes are checked against the records.
        onCompromised: () => undefined,
      });
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ELOCKED")) throw cause;
      const { code, message, fix } = this.#locked;
      throw new SiteError(code, message, {
        status: 503,
        headers: { "Retry-After": "5" },
        fix,
        cause,
      });
    }
  }
}
