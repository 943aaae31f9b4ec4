import type { ChangeBatch, Changes, Clock } from "#kernel";
import { ulid } from "ulid";
import { z } from "zod";

/** A process that ends without a word is forgotten after this; each repeats its counts more often. */
const KNOWN_MS = 60_000;
const shape = z.object({ user: z.string(), open: z.int().min(1) });

/** How many event streams each account has open, on all nodes: each publishes its own counts. */
export class OpenStreams {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #process = ulid();
  readonly #own = new Map<string, number>();
  /** By process and user; times in Unix ms. */
  readonly #others = new Map<string, z.output<typeof shape> & { readonly until: number }>();

  constructor(changes: Changes, clock: Clock) {
    this.#changes = changes;
    this.#clock = clock;
    changes.react("admin.streams", (batch) => this.#take(batch));
  }

  /** Streams of a user on all nodes. */
  count(user: string): number {
    const now = this.#clock.now();
    let sum = this.#own.get(user) ?? 0;
    for (const one of this.#others.values()) {
      if (one.user === user && one.until > now) sum += one.open;
    }
    return sum;
  }

  /** Counts a stream of this process; returns how to remove it. */
  add(user: string): () => void {
    this.#change(user, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#change(user, -1);
      isOpen = false;
    };
  }

  /** Repeats the counts of this process, and removes those of processes that ended. */
  beat(): void {
    const now = this.#clock.now();
    for (const [key, { until }] of this.#others) if (until <= now) this.#others.delete(key);
    this.#publish([...this.#own.keys()]);
  }

  #change(user: string, by: number): void {
    const open = (this.#own.get(user) ?? 0) + by;
    if (open > 0) this.#own.set(user, open);
    else this.#own.delete(user);
    this.#publish([user]);
  }

  #publish(users: readonly string[]): void {
    if (users.length === 0) return;
    const changes = users.map((user) => {
      const open = this.#own.get(user);
      const op = open === undefined ? "delete" : "update";
      const after = open === undefined ? null : { user, open };
      return { kind: "stream", key: `${this.#process} ${user}`, op, before: null, after } as const;
    });
    // Nothing listens that could fail.
    void this.#changes.publish({ changes, tags: new Set<string>(), isTransient: true });
  }

  #take({ changes, origin }: ChangeBatch): void {
    if (origin === null) return;
    const until = this.#clock.now() + KNOWN_MS;
    for (const change of changes) {
      if (change.kind !== "stream") continue;
      const { data } = shape.safeParse(change.after);
      if (data === undefined) this.#others.delete(change.key);
      else this.#others.set(change.key, { ...data, until });
    }
  }
}
