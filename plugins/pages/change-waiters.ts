import { HttpError, type Changes } from "#kernel";

/** Clients that wait at once, streams included. */
const MAX_WAITING = 1_000;

/** The response of a client that waits. */
interface OpenResponse {
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}

/** Requests that wait for the next change. */
export class ChangeWaiters {
  readonly #wake = new Set<() => void>();
  #isClosed = false;

  constructor(changes: Pick<Changes, "react">) {
    changes.react("pages.changes", () => this.#wakeAll());
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
   * Resolves with true once `isDone` after a change, with false after `ms`, when the client has left, or
   * when the site closes.
   * @throws HttpError 503 when too many clients wait.
   */
  async next(res: OpenResponse, ms: number, isDone: () => boolean): Promise<boolean> {
    this.assertRoom();
    if (this.#isClosed || res.closed) return false;
    if (isDone()) return true;
    return new Promise<boolean>((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        this.#wake.delete(wake);
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
      this.#wake.add(wake);
      res.once("close", leave);
    });
  }

  /** After the current tick: the listeners of the batch run before. */
  #wakeAll(): void {
    queueMicrotask(() => {
      for (const wake of [...this.#wake]) wake();
    });
  }
}
