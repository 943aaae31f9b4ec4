/** The lock that all nodes hold while they check and write files. */
import { AsyncLocalStorage } from "node:async_hooks";
import { KeyedLock, type WriteLock } from "#kernel";
import { clusterBusy, clusterDown } from "./errors.js";
import { type Locks, WRITE } from "./transport.js";

/** Longest wait for other nodes, in ms. */
const WAIT_MS = 15_000;

/** Dependencies of the lock. */
export interface ClusterLockOptions {
  readonly locks: Pick<Locks, "holds" | "lock" | "unlock">;
  /** Called before a write. @throws ERR_CLUSTER_DOWN (503) when other nodes could not learn of it. */
  assertConnected(): Promise<void>;
  /** Resolves when other nodes can see what was written so far. */
  announced(): Promise<void>;
}

/** One write at a time in the whole cluster. */
export class ClusterLock implements WriteLock {
  readonly #options: ClusterLockOptions;
  readonly #turns = new KeyedLock();
  readonly #current = new AsyncLocalStorage<{ isHeld: boolean }>();

  constructor(options: ClusterLockOptions) {
    this.#options = options;
  }

  run<T>(work: (assertHeld: () => void) => Promise<T>): Promise<T> {
    if (this.#current.getStore()?.isHeld === true) return work(this.#assertHeld);
    const end = performance.now() + WAIT_MS;
    return this.#turns.run("write", () => this.#exclusively(work, end));
  }

  async #exclusively<T>(work: (assertHeld: () => void) => Promise<T>, end: number): Promise<T> {
    const { locks, announced, assertConnected } = this.#options;
    if (!(await locks.lock(WRITE, end - performance.now()))) throw clusterBusy();
    const current = { isHeld: true };
    try {
      await assertConnected();
      return await this.#current.run(current, () => work(this.#assertHeld));
    } finally {
      current.isHeld = false;
      // Other nodes must know what this one announces before they look at the files.
      await announced();
      await locks.unlock(WRITE);
    }
  }

  /** @throws ERR_CLUSTER_DOWN (503) when another node may hold the lock by now. */
  readonly #assertHeld = (): void => {
    if (!this.#options.locks.holds(WRITE)) throw clusterDown();
  };
}
