/** Sites of one process that replace each other, and which of them owns the site root. */
import type { WorkerReply, Workers } from "#kernel";
import { LocalCalls } from "./worker-link.js";

/** A site among those that replace each other. */
export interface Successor {
  /** Tells the site whether it leads: watches files, runs jobs, saves indexes. */
  readonly workers: Workers;
  /** Call it once the site has closed: the next one leads. */
  leave(): void;
}

/**
 * The oldest site leads until it has closed, so that two never do. The next one leads only then: it looks
 * for what has changed in between, as a worker does when the leader ends.
 */
export class Succession {
  readonly #members: Member[] = [];
  #hadFirst = false;

  /** Adds a site; the first one leads at once. */
  join(): Successor {
    const member = new Member({ members: this.#members, isFirst: !this.#hadFirst });
    this.#hadFirst = true;
    this.#members.push(member);
    return { workers: member, leave: () => this.#leave(member) };
  }

  #leave(member: Member): void {
    const at = this.#members.indexOf(member);
    if (at >= 0) this.#members.splice(at, 1);
    this.#members[0]?.leads();
  }
}

class Member implements Workers {
  readonly id = 0;
  readonly all: [] = [];
  readonly isFirst: boolean;
  readonly #members: readonly Member[];
  readonly #calls = new LocalCalls();
  #waiting: (() => void)[] = [];

  constructor({ members, isFirst }: { members: readonly Member[]; isFirst: boolean }) {
    this.#members = members;
    this.isFirst = isFirst;
  }

  get isLeader(): boolean {
    return this.#members[0] === this;
  }

  whenLeader(work: () => void): void {
    if (this.isLeader) work();
    else this.#waiting.push(work);
  }

  async leader(): Promise<null> {
    return null;
  }

  leads(): void {
    for (const work of this.#waiting.splice(0)) work();
  }

  async ask(to: "primary" | "leader", name: string, input: unknown = null): Promise<unknown> {
    const asked = to === "leader" ? (this.#members[0] ?? this) : this;
    return asked.#calls.answer(name, input);
  }

  async askOthers(name: string, input: unknown = null): Promise<readonly WorkerReply[]> {
    const others = this.#members.filter((member) => member !== this);
    const replies = await Promise.allSettled(
      others.map((other) => other.#calls.answer(name, input)),
    );
    return replies.flatMap((reply, worker) =>
      reply.status === "fulfilled" ? [{ worker, value: reply.value }] : [],
    );
  }

  handle(name: string, work: (input: unknown) => unknown): void {
    this.#calls.handle(name, work);
  }
}
