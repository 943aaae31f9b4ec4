/** Workers of one server, which reach each other through the primary process. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Workers } from "#kernel";
import { clusterDown } from "../errors.js";
import {
  type Announced,
  type Following,
  LEADER,
  type Locks,
  type Message,
  messageSchema,
  type NodeRecord,
  nodeSchema,
  type Notice,
  noticeSchema,
  type RunningNode,
  type Transport,
  WRITE,
} from "../transport.js";

/** Pause between two attempts to take a lock, in ms; a random part is added. */
const RETRY_MS = 10;

const takeSchema = z.object({
  message: messageSchema,
  notice: noticeSchema.nullable(),
  cursor: z.string(),
});
const nodesSchema = z.array(z.object({ node: nodeSchema, isLeader: z.boolean() }));

/** The calls of the workers' hub. A worker ends with its primary process, so no message is missed. */
export class WorkersTransport implements Transport {
  readonly store = "the primary process";
  readonly locks: Locks;
  readonly #workers: Workers;
  #tail: Promise<void> = Promise.resolve();
  #take: Following["take"] | null = null;
  #notices: Notice[] = [];
  #sent = 0;

  constructor(workers: Workers) {
    this.#workers = workers;
    this.locks = new WorkerLocks(workers);
  }

  async open(): Promise<void> {
    this.#workers.handle("cluster.take", async (input) => {
      const { message, notice, cursor } = takeSchema.parse(input);
      // It has not begun to follow.
      if (this.#take === null) return;
      // Before the message is applied: the files that it names are found then.
      if (notice !== null) this.#notices.push(notice);
      // One at a time, as they were sent.
      this.#tail = this.#tail.then(() => this.#take?.(message, cursor));
      await this.#tail;
    });
  }

  async show(node: NodeRecord): Promise<void> {
    await ask(this.#workers, "show", node);
  }

  /** A message is applied before the call that sends it resolves, so none lags. */
  async nodes(): Promise<readonly RunningNode[]> {
    const nodes = nodesSchema.parse(await ask(this.#workers, "nodes"));
    return nodes.map(({ node, isLeader }) => ({ ...node, isLeader, lag: 0 }));
  }

  /** Resolves when the other workers have applied the message, so that their next response shows it. */
  async send(message: Message, notice?: Announced): Promise<string> {
    const { id, node } = message;
    const noticed = notice === undefined ? null : { id, node, ...notice };
    const cursor = String(++this.#sent);
    await ask(this.#workers, "send", { message, notice: noticed, cursor });
    return cursor;
  }

  async readNotices(take: (notice: Notice) => void): Promise<void> {
    // What was sent before arrives before the reply.
    await ask(this.#workers, "nodes");
    for (const notice of this.#notices.splice(0)) take(notice);
  }

  async follow({ signal, take }: Following): Promise<void> {
    this.#take = take;
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    this.#take = null;
  }

  async close(): Promise<void> {
    await ask(this.#workers, "leave").catch(() => undefined);
  }
}

/**
 * The primary process gives the lock of writes, and takes it back when the worker has ended. The worker that
 * leads the server leads its cluster, and no other worker has the name of this one.
 */
class WorkerLocks implements Locks {
  readonly #workers: Workers;
  #isWriting = false;

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  holds(name: string): boolean {
    if (name === LEADER) return this.#workers.isLeader;
    return name !== WRITE || this.#isWriting;
  }

  async tryLock(name: string): Promise<boolean> {
    if (name !== WRITE) return this.holds(name);
    try {
      this.#isWriting = (await ask(this.#workers, "lock")) === true;
      return this.#isWriting;
    } catch (error) {
      // It may have the lock: the reply was late.
      await ask(this.#workers, "unlock").catch(() => undefined);
      throw error;
    }
  }

  async lock(name: string, limitMs: number): Promise<boolean> {
    const end = performance.now() + limitMs;
    while (!(await this.tryLock(name))) {
      if (performance.now() >= end) return false;
      await sleep(RETRY_MS * (1 + Math.random()));
    }
    return true;
  }

  async unlock(name: string): Promise<void> {
    if (name !== WRITE || !this.#isWriting) return;
    this.#isWriting = false;
    await ask(this.#workers, "unlock").catch(() => undefined);
  }

  async released(name: string, limitMs: number): Promise<boolean> {
    const end = performance.now() + limitMs;
    while (!(await this.isFree(name))) {
      if (performance.now() >= end) return false;
      await sleep(RETRY_MS);
    }
    return true;
  }

  async isFree(name: string): Promise<boolean> {
    return name === WRITE ? (await ask(this.#workers, "isFree")) === true : this.holds(name);
  }
}

/** Calls the hub. @throws ERR_CLUSTER_DOWN (503). */
async function ask(workers: Workers, name: string, input: unknown = null): Promise<unknown> {
  try {
    return await workers.ask("primary", `cluster.${name}`, input);
  } catch (error) {
    throw clusterDown(error);
  }
}
