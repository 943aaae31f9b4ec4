/** Writes that were shown to an agent, and may be made once. */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "#kernel";
import type { CollectionDefinition, RecordStore } from "#kernel/internal";

/** How long a shown write may be confirmed. */
const LIFETIME_MS = 10 * 60_000;
const ID = /^[0-9a-f]{32}$/;

const shape = z.object({ digest: z.string(), etag: z.string().nullable(), expiresAt: z.number() });
type Shown = z.infer<typeof shape>;

const COLLECTION: CollectionDefinition<Shown> = {
  name: "mcp-confirmations",
  key: ID,
  parse: (value) => shape.safeParse(value).data ?? null,
};

/** What was shown: the caller, the call, and the texts before and after. */
export interface ShownWrite {
  readonly caller: string;
  readonly tool: string;
  readonly args: unknown;
  readonly changes: unknown;
}

/** Confirmations that were not used yet; shared by the workers and nodes of a site. */
export class Confirmations {
  readonly #store: () => RecordStore;
  readonly #clock: Clock;

  constructor(store: () => RecordStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The text that confirms a write. */
  async create(write: ShownWrite, etag: string | null): Promise<string> {
    await this.#removeExpired();
    const id = randomBytes(16).toString("hex");
    const expiresAt = this.#clock.now() + LIFETIME_MS;
    await this.#records.put(id, { digest: digestOf(write), etag, expiresAt }, { durable: false });
    return id;
  }

  /**
   * Uses a confirmation up. Null when it is unknown, expired, used, of another caller or call, or when
   * what would be written differs from what was shown.
   */
  async take(id: string, write: ShownWrite): Promise<{ etag: string | null } | null> {
    const shown = ID.test(id) ? await this.#records.get(id) : null;
    // Of two calls at the same time, one deletes it.
    if (shown === null || !(await this.#records.delete(id))) return null;
    const { digest, etag, expiresAt } = shown.value;
    return digest === digestOf(write) && expiresAt > this.#clock.now() ? { etag } : null;
  }

  get #records() {
    return this.#store().collection(COLLECTION);
  }

  async #removeExpired(): Promise<void> {
    const now = this.#clock.now();
    await this.#store()
      .collection(COLLECTION_OF_IDS)
      .list()
      .then(async ({ items }) => {
        for (const { value } of items) {
          if (value.expiresAt <= now) await this.#records.delete(value.id);
        }
      });
  }
}

/** The same records, with their keys. */
const COLLECTION_OF_IDS: CollectionDefinition<Shown & { id: string }> = {
  ...COLLECTION,
  parse: (value, id) => {
    const { data } = shape.safeParse(value);
    return data === undefined ? null : { ...data, id };
  },
};

function digestOf(write: ShownWrite): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(write)))
    .digest("hex");
}

/** Keys in order: a client may send the same arguments in another one. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}
