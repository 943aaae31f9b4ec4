/** Workers of one server, which reach each other through the primary process. */
import { z } from "zod";
import type { Workers } from "#kernel";
import { clusterDown } from "../errors.js";
import {
  messageSchema,
  nodeSchema,
  type Following,
  type Message,
  type NodeRecord,
  type Transport,
  type Version,
} from "../transport.js";

const beatSchema = z.object({ taken: nodeSchema.nullable(), leader: z.string() });
const nodesSchema = z.object({ nodes: z.array(nodeSchema), leader: z.string() });
const takeSchema = z.object({ message: messageSchema, cursor: z.string() });

/** The calls of the workers' hub. A worker ends with its primary process, so no message is missed. */
export class WorkersTransport implements Transport {
  readonly store = "the primary process";
  readonly #workers: Workers;

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  async open(): Promise<void> {
    // The channel belongs to the process.
  }

  async beat(node: NodeRecord) {
    return beatSchema.parse(await this.#ask("beat", node));
  }

  async leave(): Promise<void> {
    await this.#ask("leave");
  }

  async nodes() {
    return nodesSchema.parse(await this.#ask("nodes"));
  }

  async lock(token: string, ttlMs: number): Promise<boolean> {
    return (await this.#ask("lock", { token, ttlMs })) === true;
  }

  async renew(token: string, ttlMs: number): Promise<boolean> {
    return (await this.#ask("renew", { token, ttlMs })) === true;
  }

  async unlock(token: string): Promise<void> {
    await this.#ask("unlock", token);
  }

  async claim(node: NodeRecord, versions: readonly Version[]) {
    const owners = await this.#ask("claim", { node, versions });
    return z.array(z.string()).nullable().parse(owners);
  }

  async send(message: Message, versions: readonly Version[]): Promise<string> {
    return z.string().parse(await this.#ask("send", { message, versions }));
  }

  async finish(open: string): Promise<void> {
    await this.#ask("finish", open);
  }

  async orphans(): Promise<readonly Message[]> {
    return z.array(messageSchema).parse(await this.#ask("orphans"));
  }

  async lag(cursor: string): Promise<number> {
    return z.number().parse(await this.#ask("lag", cursor));
  }

  async follow({ signal, take }: Following): Promise<void> {
    let tail: Promise<void> = Promise.resolve();
    // One at a time, as they were sent.
    this.#workers.handle("cluster.take", async (input) => {
      const { message, cursor } = takeSchema.parse(input);
      tail = tail.then(() => (signal.aborted ? undefined : take(message, cursor)));
      await tail;
    });
    await this.#ask("follow");
    if (signal.aborted) return;
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }

  async close(): Promise<void> {
    // Same as in `open`.
  }

  async #ask(name: string, input: unknown = null): Promise<unknown> {
    try {
      return await this.#workers.ask("primary", `cluster.${name}`, input);
    } catch (error) {
      throw clusterDown(error);
    }
  }
}
