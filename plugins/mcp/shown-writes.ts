/** Writes that were shown to an agent: it may confirm them once, and a person may approve them. */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "#kernel";
import type { CollectionDefinition, RecordStore } from "../records/contract.js";
import type { Arguments } from "./tools.js";

/** The agent may confirm a write for this time. */
const CONFIRM_MS = 10 * 60_000;
/** A person may approve it for this time. */
const APPROVE_MS = 24 * 3_600_000;
/** Characters of the arguments; larger writes, such as files, are only for the agent to confirm. */
const MAX_ARGUMENTS = 200_000;
/** Writes of a token that wait for a person; the oldest are dropped. */
const MAX_WAITING = 50;
const ID = /^[0-9a-f]{32}$/;

const waiting = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** Digest of the texts before and after. */
  content: z.string(),
  agent: z.object({ id: z.string(), name: z.string() }),
  at: z.number(),
});
const shape = z.object({
  digest: z.string(),
  etag: z.string().nullable(),
  expiresAt: z.number(),
  waiting: waiting.nullable().default(null),
});
interface StoredWrite extends z.infer<typeof shape> {
  readonly id: string;
}
/** A write that waits for a person. */
export interface WaitingWrite extends z.infer<typeof waiting> {
  readonly id: string;
}

const COLLECTION: CollectionDefinition<StoredWrite> = {
  name: "mcp-confirmations",
  key: ID,
  parse: (value, id) => {
    const { data } = shape.safeParse(value);
    return data === undefined ? null : { ...data, id };
  },
};

/** A shown write: the sender, the call, and the texts before and after. */
export interface ShownWrite {
  readonly caller: string;
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly tool: string;
  readonly args: Arguments;
  readonly changes: unknown;
}

/** Shown writes that were not made yet; shared by the workers and nodes of a site. */
export class ShownWrites {
  readonly #store: RecordStore;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The text that confirms a write, and whether a person may approve it. */
  async add(write: ShownWrite, etag: string | null): Promise<{ confirm: string; waits: boolean }> {
    const id = randomBytes(16).toString("hex");
    const now = this.#clock.now();
    const waits = toWaiting(write, now);
    await this.#makeRoom(waits?.agent.id ?? null);
    const value = {
      id,
      digest: toDigest(write),
      etag,
      expiresAt: now + CONFIRM_MS,
      waiting: waits,
    };
    await this.#records.put(id, value, { durable: false });
    return { confirm: id, waits: waits !== null };
  }

  /**
   * Uses a confirmation up. Null when it is unknown, expired, used, of another caller or call, or when
   * what would be written differs from what was shown.
   */
  async take(id: string, write: ShownWrite): Promise<{ etag: string | null } | null> {
    const shown = ID.test(id) ? await this.#records.get(id) : null;
    // Two calls may arrive at the same time: only one of them deletes the record.
    if (shown === null || !(await this.#records.delete(id))) return null;
    const { digest, etag, expiresAt } = shown.value;
    return digest === toDigest(write) && expiresAt > this.#clock.now() ? { etag } : null;
  }

  /** Writes that a person may approve, the newest first. */
  async waiting(): Promise<WaitingWrite[]> {
    const { items } = await this.#records.list();
    return items.flatMap(({ value }) => this.#waits(value)).toSorted((a, b) => b.at - a.at);
  }

  /** Null when it is unknown, expired or made. */
  async find(id: string): Promise<WaitingWrite | null> {
    const shown = ID.test(id) ? await this.#records.get(id) : null;
    return shown === null ? null : (this.#waits(shown.value)[0] ?? null);
  }

  /** False when another request was faster. */
  remove(id: string): Promise<boolean> {
    return ID.test(id) ? this.#records.delete(id) : Promise.resolve(false);
  }

  #waits({ id, waiting: write }: StoredWrite): WaitingWrite[] {
    const isOpen = write !== null && write.at + APPROVE_MS > this.#clock.now();
    return isOpen ? [{ ...write, id }] : [];
  }

  get #records() {
    return this.#store.collection(COLLECTION);
  }

  async #makeRoom(agent: string | null): Promise<void> {
    const { items } = await this.#records.list();
    const now = this.#clock.now();
    const isOver = ({ value }: (typeof items)[number]): boolean =>
      value.expiresAt <= now && this.#waits(value).length === 0;
    const ofAgent = items
      .filter(({ value }) => agent !== null && value.waiting?.agent.id === agent)
      .toSorted((a, b) => b.value.expiresAt - a.value.expiresAt);
    for (const { value } of [...items.filter(isOver), ...ofAgent.slice(MAX_WAITING - 1)]) {
      await this.#records.delete(value.id);
    }
  }
}

function toWaiting({ agent, tool, args, changes }: ShownWrite, at: number): StoredWrite["waiting"] {
  if (agent === null || JSON.stringify(args).length > MAX_ARGUMENTS) return null;
  return { tool, args: { ...args }, content: contentDigest(changes), agent: { ...agent }, at };
}

/** Digest of the texts before and after a write. */
export function contentDigest(changes: unknown): string {
  return sha256(changes);
}

function toDigest({ caller, tool, args, changes }: ShownWrite): string {
  return sha256({ caller, tool, args, changes });
}

function sha256(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("hex");
}

/** Keys in order: a client may send the same arguments in another one. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}
