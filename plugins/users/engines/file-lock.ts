import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import { KeyedLock, SiteError } from "#kernel";

/** A lock whose owner has been silent for so long belongs to a process that died. */
const STALE_MS = 3_000;
const RETRY_MS = 40;
/** Longest wait, in tries: more than it takes for a dead owner's lock to become stale. */
const RETRIES = 150;

/**
 * One writer at a time on a folder, among the requests of this process and other processes. The
 * lock is an empty folder `.lock` in it, which version control does not see.
 */
export class FileLock {
  readonly #folder: string;
  readonly #queue = new KeyedLock();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder when it is not there. @throws ERR_USER_STORE_LOCKED (503). */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run("write", async () => {
      await mkdir(this.#folder, { recursive: true });
      const release = await this.#acquire();
      try {
        return await work();
      } finally {
        // A lock that another process took for stale is not ours to remove.
        await release().catch(() => undefined);
      }
    });
  }

  async #acquire(): Promise<() => Promise<void>> {
    try {
      return await lockfile.lock(this.#folder, {
        lockfilePath: join(this.#folder, ".lock"),
        realpath: false,
        stale: STALE_MS,
        update: STALE_MS / 3,
        retries: { retries: RETRIES, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
        // Losing the lock to a process that took us for dead must not end this one: each write is
        // whole by itself, and the indexes are checked against the records.
        onCompromised: () => undefined,
      });
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ELOCKED")) throw cause;
      throw new SiteError(
        "ERR_USER_STORE_LOCKED",
        `${JSON.stringify(this.#folder)} is locked by another process`,
        {
          status: 503,
          headers: { "Retry-After": "5" },
          fix: "end the process that holds it",
          cause,
        },
      );
    }
  }
}
