/** The lock that all nodes hold while they check and write files. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { KeyedLock, type WriteLock } from "#kernel";
import { clusterBusy, clusterDown } from "./errors.js";
import type { Transport } from "./transport.js";

/** A lock whose node died is free after this, in ms. It is renewed while a write runs. */
const TTL_MS = 4_000;
const RENEW_MS = 1_000;
/** Longest wait for other nodes, in ms. */
const WAIT_MS = 15_000;
/** Pause between two attempts, in ms; a random part keeps nodes apart. */
const RETRY_MS = 10;

/** Dependencies of the lock. */
export interface ClusterLockOptions {
  readonly transport: Pick<Transport, "lock" | "renew" | "unlock">;
  /** Id of this run of the node. */
  readonly id: string;
  /** Resolves when other nodes can see what was written so far. */
  announced(): Promise<void>;
}

/** A lock while it is held. */
class Lease {
  isHeld = true;
  /** Until then no other node can hold the lock, in ms of `performance.now()`. */
  until: number;

  constructor(until: number) {
    this.until = until;
  }

  /** @throws ERR_CLUSTER_DOWN (503) when another node may hold the lock by now. */
  assertHeld(): void {
    if (performance.now() >= this.until) throw clusterDown();
  }
}

/** One write at a time in the whole cluster. */
export class ClusterLock implements WriteLock {
  readonly #options: ClusterLockOptions;
  readonly #turns = new KeyedLock();
  readonly #leases = new AsyncLocalStorage<Lease>();
  #count = 0;
  #token = "";

  constructor(options: ClusterLockOptions) {
    this.#options = options;
  }

  /** The lock that is held or asked for; empty for none. */
  get token(): string {
    return this.#token;
  }

  run<T>(work: (assertHeld: () => void) => Promise<T>): Promise<T> {
    const held = this.#leases.getStore();
    if (held?.isHeld === true) return work(() => held.assertHeld());
    const end = performance.now() + WAIT_MS;
    return this.#turns.run("write", () => this.#exclusively(work, end));
  }

  async #exclusively<T>(work: (assertHeld: () => void) => Promise<T>, end: number): Promise<T> {
    const token = `${this.#options.id}#${++this.#count}`;
    this.#token = token;
    const lease = new Lease(await this.#acquire(token, end));
    const renewal = setInterval(() => void this.#renew(token, lease), RENEW_MS).unref();
    try {
      return await this.#leases.run(lease, () => work(() => lease.assertHeld()));
    } finally {
      clearInterval(renewal);
      lease.isHeld = false;
      // Other nodes must know what this one announces before they look at the files.
      await this.#options.announced();
      await this.#options.transport.unlock(token).catch(() => undefined);
      this.#token = "";
    }
  }

  async #acquire(token: string, end: number): Promise<number> {
    try {
      for (;;) {
        const asked = performance.now();
        if (await this.#options.transport.lock(token, TTL_MS)) return asked + TTL_MS;
        if (performance.now() >= end) throw clusterBusy();
        await sleep(RETRY_MS * (1 + Math.random()));
      }
    } catch (error) {
      this.#token = "";
      throw error;
    }
  }

  async #renew(token: string, lease: Lease): Promise<void> {
    const asked = performance.now();
    try {
      lease.until = (await this.#options.transport.renew(token, TTL_MS)) ? asked + TTL_MS : 0;
    } catch {
      // It stays valid until it expires.
    }
  }
}
