import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeTime, ulid } from "ulid";
import { z } from "zod";
import type { Clock, CollectionDefinition, RecordCollection, RecordStore } from "#kernel";
import type { RecordBytes } from "#kernel/internal";

const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const DAY_MS = 86_400_000;

const shape = z.object({
  id: z.string().regex(ID),
  kind: z.enum(["page", "media"]),
  path: z.string(),
  title: z.string(),
  deletedAt: z.number(),
  by: z.object({ id: z.string(), name: z.string() }),
  /** `hash`: the digest that the write path compares. */
  files: z.array(z.object({ path: z.string(), size: z.number(), hash: z.string() })),
});
/** Something that was deleted, with its files by their paths below the content folder. Times in Unix ms. */
export type TrashEntry = Readonly<z.infer<typeof shape>>;
/** What is put into the trash. */
export type NewTrash = Pick<TrashEntry, "kind" | "path" | "title" | "by"> & {
  readonly paths: readonly string[];
};

const NAME = "trash";
const COLLECTION: CollectionDefinition<TrashEntry> = {
  name: NAME,
  key: ID,
  parse: (value, key) => {
    const { data } = shape.safeParse(value);
    return data?.id === key ? data : null;
  },
};

/** Where and for how long deleted files are stored. */
export interface TrashOptions {
  readonly store: () => RecordStore;
  /** Absolute path of the content folder. */
  readonly content: string;
  readonly days: number;
  readonly clock: Clock;
}

/** Copies of deleted files: a record per deletion, and the bytes of its files by their number. */
export class TrashRecords {
  readonly #options: TrashOptions;

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  /** Copies files into the trash. The record is stored last: an entry that exists is complete. */
  async put({ paths, ...about }: NewTrash): Promise<TrashEntry> {
    const { content, clock } = this.#options;
    const deletedAt = clock.now();
    const id = ulid(deletedAt);
    try {
      const files: { path: string; size: number; hash: string }[] = [];
      for (const [at, path] of paths.entries()) {
        const bytes = await readFile(join(content, path));
        await this.#bytes.put(id, at, bytes);
        const hash = createHash("sha1").update(bytes).digest("hex");
        files.push({ path, size: bytes.length, hash });
      }
      const entry = { id, ...about, deletedAt, files };
      await this.#entries.put(id, entry);
      return entry;
    } catch (error) {
      await this.#bytes.delete(id).catch(() => undefined);
      throw error;
    }
  }

  /** The latest first. Deletes what is too old. */
  async list(): Promise<TrashEntry[]> {
    const since = this.#options.clock.now() - this.#options.days * DAY_MS;
    const { items } = await this.#entries.list();
    const entries = items.map(({ value }) => value);
    const expired = entries.filter(({ deletedAt }) => deletedAt < since);
    for (const { id } of expired) await this.remove(id);
    await this.#removeOrphans(entries);
    return entries.filter(({ deletedAt }) => deletedAt >= since);
  }

  /** Null: missing or malformed. */
  async get(id: string): Promise<TrashEntry | null> {
    return (await this.#entries.get(id))?.value ?? null;
  }

  /** The bytes of the entry's files, in order. @throws Error when some are missing. */
  async read({ id, files }: TrashEntry): Promise<Buffer[]> {
    const all: Buffer[] = [];
    for (const [at, { path }] of files.entries()) {
      const bytes = await this.#bytes.get(id, at);
      if (bytes === null) throw new Error(`the copy of ${path} is missing from the trash`);
      all.push(bytes);
    }
    return all;
  }

  async remove(id: string): Promise<void> {
    await this.#entries.delete(id);
    await this.#bytes.delete(id);
  }

  /** Bytes of a deletion that a crash interrupted; younger ones may belong to one that is under way. */
  async #removeOrphans(entries: readonly TrashEntry[]): Promise<void> {
    const known = new Set(entries.map(({ id }) => id));
    const before = this.#options.clock.now() - DAY_MS;
    for (const key of await this.#bytes.keys()) {
      if (!known.has(key) && decodeTime(key) < before) await this.#bytes.delete(key);
    }
  }

  get #entries(): RecordCollection<TrashEntry> {
    return this.#options.store().collection(COLLECTION);
  }

  get #bytes(): RecordBytes {
    return this.#options.store().bytes({ name: NAME, key: ID });
  }
}
