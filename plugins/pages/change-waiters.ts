import { HttpError, type Changes } from "#kernel";

/** Clients that wait at once, streams included. */
const MAX_WAITING = 1_000;
/** While clients wait, the journal is read this often, in ms: other processes write to it too. */
const POLL_MS = 1_000;

/** The response of a client that waits. */
interface OpenResponse {
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}

/** Requests that wait for the next change. */
export class ChangeWaiters {
  readonly #changes: Pick<Changes, "listen" | "journal">;
  readonly #wake = new Set<() => void>();
  #poll: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(changes: Pick<Changes, "listen" | "journal">) {
    this.#changes = changes;
    // The journal is an earlier listener: the batch is stored by now.
    changes.listen("pages.changes", () => void this.#look());
  }

  /** True when the site is closing. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  /** @throws HttpError 503. */
  assertRoom(): void {
    if (this.#wake.size < MAX_WAITING) return;
    throw new HttpError(503, "too many clients wait for changes, try again", {
      headers: { "Retry-After": "10" },
    });
  }

  /**
   * Resolves with true once the newest cursor is another one than `cursor`, with false after `ms`, when
   * the client has left, or when the site closes.
   * @throws HttpError 503 when too many clients wait.
   */
  async next(res: OpenResponse, ms: number, cursor: string): Promise<boolean> {
    this.assertRoom();
    if (this.#isClosed || res.closed) return false;
    const isDone = (): boolean => this.#changes.journal.seen !== cursor;
    if (isDone()) return true;
    return new Promise<boolean>((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        this.#remove(wake);
        res.off("close", leave);
        resolve(result);
      };
      const leave = (): void => end(false);
      const wake = (): void => {
        if (this.#isClosed) end(false);
        else if (isDone()) end(true);
      };
      const timer = setTimeout(leave, ms);
      timer.unref();
      this.#add(wake);
      res.once("close", leave);
    });
  }

  #add(wake: () => void): void {
    this.#wake.add(wake);
    this.#poll ??= setInterval(() => void this.#look(), POLL_MS).unref();
  }

  #remove(wake: () => void): void {
    this.#wake.delete(wake);
    if (this.#wake.size > 0 || this.#poll === null) return;
    clearInterval(this.#poll);
    this.#poll = null;
  }

  async #look(): Promise<void> {
    if (this.#wake.size === 0) return;
    // While the store fails, clients go on waiting.
    await this.#changes.journal.cursor().catch(() => undefined);
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = [...this.#wake];
    for (const wake of waiting) wake();
  }
}
