/** The hub of the primary process: passes calls on between workers, and names the leader. */
import { silentWorker } from "#kernel";
import type { PrimaryHub } from "./contract.js";
import { Peer, type ArrivedCall, type Channel } from "./peer.js";

/** Longest wait for a new leader, in ms. */
const LEADER_MS = 5_000;

interface Member {
  readonly peer: Peer;
  /** True once it is ready. */
  canLead: boolean;
}

/** Connects the workers of one primary process. */
export class Hub implements PrimaryHub {
  readonly #members = new Map<number, Member>();
  readonly #handlers = new Map<string, (input: unknown, worker: number) => unknown>();
  readonly #left: ((worker: number) => void)[] = [];
  #leader: number | null = null;
  #waiting: (() => void)[] = [];

  get leader(): number | null {
    return this.#leader;
  }

  get workers(): readonly number[] {
    return [...this.#members.keys()];
  }

  handle(name: string, work: (input: unknown, worker: number) => unknown): void {
    this.#handlers.set(name, work);
  }

  onLeft(work: (worker: number) => void): void {
    this.#left.push(work);
  }

  async tell(worker: number, name: string, input: unknown): Promise<unknown> {
    const member = this.#members.get(worker);
    if (member === undefined) throw silentWorker(name);
    return member.peer.call(name, input);
  }

  /** Connects a worker; returns what takes its messages. */
  add(worker: number, channel: Channel): (message: unknown) => void {
    const peer = new Peer(channel, (call) => this.#answer(worker, call));
    this.#members.set(worker, { peer, canLead: false });
    return (message) => peer.take(message);
  }

  /** The worker may lead from now on. */
  ready(worker: number): void {
    const member = this.#members.get(worker);
    if (member !== undefined) member.canLead = true;
    this.#choose();
  }

  /** The worker has ended. */
  remove(worker: number): void {
    const member = this.#members.get(worker);
    this.#members.delete(worker);
    member?.peer.close();
    if (this.#leader === worker) this.#leader = null;
    for (const work of this.#left) work(worker);
    this.#choose();
  }

  /** The oldest ready worker leads until it has ended, so that two never do. */
  #choose(): void {
    if (this.#leader !== null) return;
    const next = [...this.#members].find(([, { canLead }]) => canLead)?.[0];
    if (next === undefined) return;
    this.#leader = next;
    for (const [id, { peer }] of this.#members) {
      peer.call("worker.leads", id === next).catch(() => undefined);
    }
    for (const resume of this.#waiting.splice(0)) resume();
  }

  async #answer(worker: number, { name, to, input }: ArrivedCall): Promise<unknown> {
    if (to === "leader") return this.#askLeader(name, input);
    if (to === "others") return this.#askOthers(worker, name, input);
    const handler = this.#handlers.get(name);
    if (handler === undefined) throw silentWorker(name);
    return handler(input, worker);
  }

  /** Asks again when the leader ends before it replies: a handler may run twice. */
  async #askLeader(name: string, input: unknown): Promise<unknown> {
    const leader = this.#leader ?? (await this.#nextLeader(name));
    try {
      return await this.tell(leader, name, input);
    } catch (error) {
      if (this.#leader === leader) throw error;
      return this.tell(this.#leader ?? (await this.#nextLeader(name)), name, input);
    }
  }

  #nextLeader(name: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== resume);
        reject(silentWorker(name));
      };
      const timer = setTimeout(fail, LEADER_MS).unref();
      const resume = (): void => {
        clearTimeout(timer);
        if (this.#leader === null) reject(silentWorker(name));
        else resolve(this.#leader);
      };
      this.#waiting.push(resume);
    });
  }

  async #askOthers(worker: number, name: string, input: unknown) {
    const others = this.workers.filter((id) => id !== worker);
    const replies = await Promise.allSettled(others.map((id) => this.tell(id, name, input)));
    return replies.flatMap((reply, at) => {
      const id = others[at];
      if (reply.status === "rejected" || id === undefined) return [];
      return [{ worker: id, value: reply.value }];
    });
  }
}
