/** The primary process keeps what workers of one server share, as PostgreSQL does for several machines. */
import { z } from "zod";
import { within } from "#lib/concurrency";
import type { PrimaryHub } from "../../workers/contract.js";
import {
  LEADER,
  MAX_LAG,
  messageSchema,
  type NodeRecord,
  nodeSchema,
  noticeSchema,
  type RunningNode,
} from "../transport.js";
import { LOCK_MS } from "./workers.js";

/** Longest wait for other workers to apply a message, in ms. */
const APPLIED_MS = 1_000;

const sendSchema = z.object({ message: messageSchema, notice: noticeSchema.nullable() });

/** A worker that has joined. */
interface Joined {
  node: NodeRecord | null;
  /** True once it takes messages. */
  follows: boolean;
}

interface HeldLock {
  readonly worker: number;
  /** In ms of `performance.now()`. */
  until: number;
}

/** Registers the hub's calls: `cluster.*`. */
export default function clusterPart(hub: PrimaryHub): void {
  new WorkersHub(hub).register();
}

class WorkersHub {
  readonly #hub: PrimaryHub;
  readonly #joined = new Map<number, Joined>();
  readonly #locks = new Map<string, HeldLock>();
  #sent = 0;

  constructor(hub: PrimaryHub) {
    this.#hub = hub;
  }

  register(): void {
    const hub = this.#hub;
    const nameOf = (input: unknown): string => z.string().parse(input);
    hub.handle("cluster.lock", (input, worker) => this.#lock(nameOf(input), worker));
    hub.handle("cluster.renew", (input, worker) => this.#renew(nameOf(input), worker));
    hub.handle("cluster.isFree", (input, worker) => this.#isFree(nameOf(input), worker));
    hub.handle("cluster.unlock", (input, worker) => {
      const name = nameOf(input);
      if (this.#locks.get(name)?.worker === worker) this.#locks.delete(name);
    });
    hub.handle("cluster.show", (input, worker) => {
      this.#of(worker).node = nodeSchema.parse(input);
    });
    hub.handle("cluster.nodes", () => this.#nodes());
    hub.handle("cluster.send", (input, worker) => this.#send(sendSchema.parse(input), worker));
    hub.handle("cluster.lag", (input) => Math.min(this.#sent - Number(input), MAX_LAG));
    hub.handle("cluster.follow", (_input, worker) => void (this.#of(worker).follows = true));
    hub.handle("cluster.leave", (_input, worker) => this.#forget(worker));
    hub.onLeft((worker) => this.#forget(worker));
  }

  #of(worker: number): Joined {
    const joined = this.#joined.get(worker) ?? { node: null, follows: false };
    this.#joined.set(worker, joined);
    return joined;
  }

  #forget(worker: number): void {
    this.#joined.delete(worker);
    for (const [name, lock] of this.#locks) if (lock.worker === worker) this.#locks.delete(name);
  }

  #isFree(name: string, worker: number): boolean {
    const lock = this.#locks.get(name);
    return lock === undefined || lock.worker === worker || lock.until <= performance.now();
  }

  /** The worker that leads the server leads its cluster. */
  #lock(name: string, worker: number): boolean {
    const isFree = name === LEADER ? this.#hub.leader === worker : this.#isFree(name, worker);
    if (isFree) this.#locks.set(name, { worker, until: performance.now() + LOCK_MS });
    return isFree;
  }

  #renew(name: string, worker: number): boolean {
    const lock = this.#locks.get(name);
    if (lock?.worker !== worker) return false;
    lock.until = performance.now() + LOCK_MS;
    return true;
  }

  #nodes(): RunningNode[] {
    return [...this.#joined].flatMap(([worker, { node }]) =>
      node === null ? [] : [{ ...node, isLeader: worker === this.#hub.leader }],
    );
  }

  /** Resolves when the other workers have applied the message, so that their next response shows it. */
  async #send(sent: z.output<typeof sendSchema>, from: number): Promise<string> {
    const cursor = String(++this.#sent);
    const packet = { ...sent, cursor };
    const others = [...this.#joined].filter(([id, { follows }]) => follows && id !== from);
    const applied = Promise.allSettled(
      others.map(([id]) => this.#hub.tell(id, "cluster.take", packet)),
    );
    await within(APPLIED_MS, applied, () => undefined);
    return cursor;
  }
}
