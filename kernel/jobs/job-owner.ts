import { ProcessLock } from "#lib/files";
import type { Workers } from "../contracts.js";

/** How often ownership is tried for, in ms. */
const TURN_MS = 2_000;

/** Competes for the lock that makes one process of a site root the owner of its jobs. */
export class JobOwner {
  readonly #file: string;
  readonly #workers: Pick<Workers, "isLeader" | "whenLeader"> | undefined;
  #events = { owned: (): void => undefined, lost: (): void => undefined };
  #lock: ProcessLock | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isTrying = false;
  #isClosed = false;

  /** `file`: absolute path of the lock. Of several workers, only the leader competes. */
  constructor(file: string, workers?: Pick<Workers, "isLeader" | "whenLeader">) {
    this.#file = file;
    this.#workers = workers;
  }

  get isOwner(): boolean {
    return this.#lock !== null;
  }

  /** Resolves after the first try; later ones follow in the background. */
  async start(events: { owned(): void; lost(): void }): Promise<void> {
    this.#events = events;
    await this.#try();
    if (this.#isClosed) return;
    if (this.#workers?.isLeader === false) this.#workers.whenLeader(() => void this.#try());
    this.#timer = setInterval(() => void this.#try(), TURN_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#lock?.release();
    this.#lock = null;
  }

  async #try(): Promise<void> {
    const isFree = this.#lock === null && !this.#isTrying && !this.#isClosed;
    if (!isFree || this.#workers?.isLeader === false) return;
    this.#isTrying = true;
    const onLost = (): void => {
      this.#lock = null;
      this.#events.lost();
    };
    // Where the folder is not writable, the next turn tries again.
    const lock = await ProcessLock.tryAcquire(this.#file, { onLost }).catch(() => null);
    this.#isTrying = false;
    if (lock === null) return;
    if (this.#isClosed) {
      lock.release();
      return;
    }
    this.#lock = lock;
    this.#events.owned();
  }
}
