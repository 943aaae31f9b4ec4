import type { ChangeBatch, Changes, Clock } from "#kernel";
import { z } from "zod";
import type { PresentPerson } from "../contract.js";

const PRESENT_MS = 60_000;
const shape = z.object({ name: z.string(), path: z.string() });

interface Presence extends z.output<typeof shape> {
  /** Unix ms. */
  readonly until: number;
}

/** Which page each person has open, on all nodes: each publishes what it learns. */
export class PresentPeople {
  readonly #changes: Changes;
  readonly #clock: Clock;
  readonly #announce: (path: string) => void;
  readonly #present = new Map<string, Presence>();

  /** `announce` is called with the path of a page whose people have changed. */
  constructor(changes: Changes, clock: Clock, announce: (path: string) => void) {
    this.#changes = changes;
    this.#clock = clock;
    this.#announce = announce;
    changes.react("admin.presence", (batch) => this.#take(batch));
  }

  /** Notes which page a person has open, null for none; returns who else has it open. */
  set({ id, name }: PresentPerson, path: string | null): readonly PresentPerson[] {
    const after = path === null ? null : { name, path };
    const op = path === null ? "delete" : "update";
    const change = { kind: "presence", key: id, op, before: null, after } as const;
    const batch = { changes: [change], tags: new Set<string>(), isTransient: true };
    // Nothing listens that could fail.
    void this.#changes.publish(batch);
    return path === null ? [] : this.at(path).filter((person) => person.id !== id);
  }

  /** Who has a page open. */
  at(path: string): PresentPerson[] {
    const now = this.#clock.now();
    return [...this.#present]
      .filter(([, one]) => one.path === path && one.until > now)
      .map(([id, { name }]) => ({ id, name }));
  }

  /** Removes people who have left without a word. */
  beat(): void {
    const now = this.#clock.now();
    for (const [id, { path, until }] of this.#present) {
      if (until > now) continue;
      this.#present.delete(id);
      this.#announce(path);
    }
  }

  #take({ changes }: ChangeBatch): void {
    for (const change of changes) {
      if (change.kind === "presence") this.#set(change.key, shape.safeParse(change.after).data);
    }
  }

  #set(id: string, given: z.output<typeof shape> | undefined): void {
    const before = this.#present.get(id)?.path;
    if (given === undefined) this.#present.delete(id);
    else this.#present.set(id, { ...given, until: this.#clock.now() + PRESENT_MS });
    if (before === given?.path) return;
    for (const path of [before, given?.path]) if (path !== undefined) this.#announce(path);
  }
}
