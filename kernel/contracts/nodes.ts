/** Several processes that serve one site agree on who writes, who leads, and who announces a change. */
import type { ChangeBatch } from "./changes.js";

/** Serialises writes of files that several processes can write: the engine slot `writeLock`. */
export interface WriteLock {
  /**
   * Runs `work`, which checks and writes files, while no other process does; nested calls join. `work`
   * calls `assertHeld` right before its first write.
   * @throws HttpError 503 with `Retry-After` when the lock cannot be taken; `work` has then not run.
   */
  run<T>(work: (assertHeld: () => void) => Promise<T>): Promise<T>;
}

/**
 * Decides which of the processes of a site root does what must happen once, such as announcing a change that
 * each of them finds: the engine slot `leader`.
 */
export interface Leader {
  /** Competes for leading now, if this process has not yet; resolves with true while it leads. */
  claim(): Promise<boolean>;
  /**
   * True when servers with roots of their own have one leader: each then announces the changes of its root.
   * Default false.
   */
  readonly isShared?: boolean;
}

/** Passes batches of the change feed to other nodes: the engine slot `changeAnnouncer`. */
export interface ChangeAnnouncer {
  /**
   * Called in the tick of `publish`, for batches of this node. Resolves with the batch, split by the node
   * that announces each change; listeners of the feed wait for it. Null: this process is no node of the
   * cluster, so the processes of its site root decide as they do without one. Never rejects.
   */
  announce(batch: ChangeBatch): Promise<readonly ChangeBatch[] | null>;
  /** True for another process of the same site root, by the `origin` of a batch. Default: always false. */
  sharesRoot?(origin: string): boolean;
}
