/** A worker's side of the channel to the primary process. */
import { z } from "zod";
import {
  type Logger,
  silentWorker,
  type WorkerReply,
  type Workers,
  type WorkerStatus,
} from "#kernel";
import { Peer, type ArrivedCall, type Channel, type Target } from "./peer.js";

/** The call that returns the number of the leader, or null. */
export const LEADER = "worker.leader";
/** Time between two heartbeats, in ms. */
export const BEAT_MS = 1_000;

const statusShape = z.object({
  id: z.number(),
  pid: z.number(),
  since: z.string(),
  state: z.enum(["starting", "ready", "stopping"]),
  isLeader: z.boolean(),
  rss: z.number(),
});
const replies = z.array(z.object({ worker: z.number(), value: z.unknown() }));

/** Handlers of calls by name. */
export class LocalCalls {
  readonly #handlers = new Map<string, (input: unknown) => unknown>();

  handle(name: string, work: (input: unknown) => unknown): void {
    this.#handlers.set(name, work);
  }

  /** @throws the error of the handler; ERR_WORKERS_SILENT without one. */
  async answer(name: string, input: unknown): Promise<unknown> {
    const handler = this.#handlers.get(name);
    if (handler === undefined) throw silentWorker(name);
    return handler(input);
  }
}

/** The workers as one of them sees them. */
export class WorkerLink implements Workers {
  readonly id: number;
  readonly isFirst: boolean;
  readonly #calls = new LocalCalls();
  readonly #peer: Peer;
  #waiting: (() => void)[] = [];
  #isLeader = false;
  #all: readonly WorkerStatus[] = [];

  constructor(id: number, options: { channel: Channel; isFirst: boolean }) {
    this.id = id;
    this.isFirst = options.isFirst;
    this.#peer = new Peer(options.channel, (call) => this.#answer(call));
    this.handle("worker.leads", (isLeader) => this.#lead(isLeader === true));
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  get all(): readonly WorkerStatus[] {
    return this.#all;
  }

  whenLeader(work: () => void): void {
    if (this.#isLeader) work();
    else this.#waiting.push(work);
  }

  async leader(): Promise<number | null> {
    return z
      .number()
      .nullable()
      .parse(await this.ask("primary", LEADER));
  }

  async ask(to: "primary" | "leader", name: string, input: unknown = null): Promise<unknown> {
    if (to === "leader" && this.#isLeader) return this.#calls.answer(name, input);
    return this.#peer.call(name, input, to);
  }

  async askOthers(name: string, input: unknown = null): Promise<readonly WorkerReply[]> {
    return replies.parse(await this.#peer.call(name, input, "others" satisfies Target));
  }

  handle(name: string, work: (input: unknown) => unknown): void {
    this.#calls.handle(name, work);
  }

  /** Takes a message of the primary process. */
  take(message: unknown): void {
    this.#peer.take(message);
  }

  /** Sends heartbeats, with the memory of this process, until it ends. */
  beat(log: Logger): void {
    const beat = async (): Promise<void> => {
      const { rss } = process.memoryUsage();
      const reply = await this.ask("primary", "worker.beat", { rss });
      this.#all = z.array(statusShape).parse(reply);
    };
    const tick = (): void => {
      beat().catch((error: unknown) => log.debug("workers.beat_failed", { error: String(error) }));
    };
    setInterval(tick, BEAT_MS).unref();
    tick();
  }

  #answer({ name, input }: ArrivedCall): Promise<unknown> {
    return this.#calls.answer(name, input);
  }

  #lead(isLeader: boolean): void {
    this.#isLeader = isLeader;
    if (isLeader) for (const work of this.#waiting.splice(0)) work();
  }
}
