/** Workers of one server, which reach each other through the primary process. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Workers } from "#kernel";
import { clusterDown } from "../errors.js";
import {
  type Announced,
  type Following,
  type Locks,
  type Message,
  messageSchema,
  type NodeRecord,
  type Notice,
  noticeSchema,
  type RunningNode,
  runningNodeSchema,
  type Transport,
} from "../transport.js";

/** The primary process gives the locks of a worker away that does not renew them for this long, in ms. */
export const LOCK_MS = 4_000;
const RENEW_MS = 1_000;
/** Pause between two attempts to take a lock, in ms; a random part is added. */
const RETRY_MS = 10;

const takeSchema = z.object({
  message: messageSchema,
  notice: noticeSchema.nullable(),
  cursor: z.string(),
});

/** The calls of the workers' hub. A worker ends with its primary process, so no message is missed. */
export class WorkersTransport implements Transport {
  readonly store = "the primary process";
  readonly #locks: WorkerLocks;
  readonly #workers: Workers;
  #tail: Promise<void> = Promise.resolve();
  #take: Following["take"] | null = null;
  #notices: Notice[] = [];

  constructor(workers: Workers) {
    this.#workers = workers;
    this.#locks = new WorkerLocks((name, input) => this.#ask(name, input));
  }

  get locks(): Locks {
    return this.#locks;
  }

  async open(): Promise<void> {
    this.#workers.handle("cluster.take", async (input) => {
      const { message, notice, cursor } = takeSchema.parse(input);
      // Before the message is applied: the files that it names are found then.
      if (notice !== null) this.#notices.push(notice);
      // One at a time, as they were sent.
      this.#tail = this.#tail.then(() => this.#take?.(message, cursor));
      await this.#tail;
    });
  }

  async show(node: NodeRecord): Promise<void> {
    await this.#ask("show", node);
  }

  async nodes(): Promise<readonly RunningNode[]> {
    return z.array(runningNodeSchema).parse(await this.#ask("nodes"));
  }

  async send(message: Message, notice?: Announced): Promise<string> {
    const { id, node } = message;
    const noticed = notice === undefined ? null : { id, node, ...notice };
    return z.string().parse(await this.#ask("send", { message, notice: noticed }));
  }

  async readNotices(take: (notice: Notice) => void): Promise<void> {
    // What was sent before arrives before the reply.
    await this.#ask("nodes");
    for (const notice of this.#notices.splice(0)) take(notice);
  }

  async lag(cursor: string): Promise<number> {
    return z.number().parse(await this.#ask("lag", cursor));
  }

  async follow({ signal, take }: Following): Promise<void> {
    this.#take = take;
    await this.#ask("follow");
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    this.#take = null;
  }

  async close(): Promise<void> {
    this.#locks.close();
    await this.#ask("leave").catch(() => undefined);
  }

  async #ask(name: string, input: unknown = null): Promise<unknown> {
    try {
      return await this.#workers.ask("primary", `cluster.${name}`, input);
    } catch (error) {
      throw clusterDown(error);
    }
  }
}

/** Locks that the primary process gives; they are renewed while they are held. */
class WorkerLocks implements Locks {
  readonly #ask: (call: string, name: string) => Promise<unknown>;
  /** When a held lock was last asked for, in ms of `performance.now()`. */
  readonly #held = new Map<string, number>();
  readonly #renewal: NodeJS.Timeout;

  constructor(ask: (call: string, name: string) => Promise<unknown>) {
    this.#ask = ask;
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS).unref();
  }

  close(): void {
    clearInterval(this.#renewal);
    this.#held.clear();
  }

  holds(name: string): boolean {
    return performance.now() < (this.#held.get(name) ?? -LOCK_MS) + LOCK_MS;
  }

  async tryLock(name: string): Promise<boolean> {
    const asked = performance.now();
    if ((await this.#ask("lock", name)) !== true) {
      this.#held.delete(name);
      return false;
    }
    this.#held.set(name, asked);
    return true;
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
    if (this.#held.delete(name)) await this.#ask("unlock", name).catch(() => undefined);
  }

  async isFree(name: string): Promise<boolean> {
    return (await this.#ask("isFree", name)) === true;
  }

  #renew(): void {
    for (const name of this.#held.keys()) {
      const asked = performance.now();
      this.#ask("renew", name).then(
        (isHeld) => {
          if (!this.#held.has(name)) return;
          if (isHeld === true) this.#held.set(name, asked);
          else this.#held.delete(name);
        },
        // It stays valid until it expires.
        () => undefined,
      );
    }
  }
}
