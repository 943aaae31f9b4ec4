import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { createHash } from "node:crypto";
import { decodeTime, ulid } from "ulid";
import { z } from "zod";
import { HttpError, type SiteContext, type Clock } from "#kernel";
import type {
  CollectionDefinition,
  RecordCollection,
  RecordStore,
  RecordBytes,
} from "../records/contract.js";
import type { ApplyOptions, ContentChange } from "../content/contract.js";
import { errorCode, isMissing } from "#lib/errors";
import { written } from "./write/save-page.js";

/** The most files that one deletion may have. */
const MAX_FILES = 5_000;

/** Files to delete; `ifHash`: only this version of the page. */
export type Deletion = Omit<NewTrash, "by" | "owners"> & { readonly ifHash?: string | undefined };

/** Options of a deletion, with its author. */
interface DeleteOptions extends ApplyOptions {
  readonly actor: NonNullable<ApplyOptions["actor"]>;
}

/** Deletes files of the content folder so that they can be restored. */
export class Trash {
  readonly #site: SiteContext;
  readonly #entries: TrashEntries;
  readonly #isKept: boolean;

  constructor(site: SiteContext) {
    const { paths, settings, runtime } = site;
    const days = settings.admin.trash_days;
    this.#site = site;
    this.#isKept = days > 0;
    this.#entries = new TrashEntries({
      content: paths.content,
      days,
      clock: runtime.clock,
      store: site.use("records"),
    });
  }

  list(): Promise<TrashEntry[]> {
    return this.#entries.list();
  }

  /** @throws HttpError 404. */
  async get(id: string): Promise<TrashEntry> {
    const entry = await this.#entries.get(id);
    if (entry === null) throw new HttpError(404, "the trash has no such entry");
    return entry;
  }

  /**
   * Deletes files through the write path, copies in the trash first, then the files as one step, which is finished
   * after a kill. Null: the trash is off.
   * @throws HttpError of the first file that cannot be deleted; nothing is deleted then.
   */
  async delete(
    { ifHash, ...deletion }: Deletion,
    options: DeleteOptions,
  ): Promise<TrashEntry | null> {
    const content = this.#site.use("content");
    const changes = deletion.paths.map((path): ContentChange => {
      const isOwn = path === deletion.path && ifHash !== undefined;
      return { op: "delete", path, ...(isOwn && { ifHash }) };
    });
    for (const result of await content.apply(changes, { ...options, dryRun: true })) {
      written(result);
    }
    const { id, name } = options.actor;
    const owners = this.#ownersOf(deletion.paths);
    const copied = { ...deletion, by: { id, name }, owners };
    const entry = this.#isKept ? await this.#entries.put(copied) : null;
    const hashes = new Map(entry?.files.map(({ path, hash }) => [path, hash]));
    const exact = changes.map((change): ContentChange => {
      const hash = hashes.get(change.path);
      // A file that has changed since it was copied stays.
      return hash === undefined ? change : { op: "delete", path: change.path, ifHash: hash };
    });
    const results = await content.apply(exact, options);
    const failed = results.find(({ status }) => status === "error");
    if (failed === undefined) return entry;
    const isNothing = results.every(({ status }) => status === "error");
    if (entry !== null && isNothing) await this.#entries.remove(entry.id);
    written(failed);
    return entry;
  }

  /**
   * Writes the files back, as one step. A file that is there with the same bytes is restored already: by an editor, or
   * by a deletion that a kill undid.
   * @throws HttpError 404, 409 when another file exists, and what the write path rejects.
   */
  async restore(id: string, options: ApplyOptions): Promise<TrashEntry> {
    const content = this.#site.use("content");
    const entry = await this.get(id);
    const texts = await this.#entries.read(entry);
    const changes: ContentChange[] = [];
    for (const [at, { path, hash }] of entry.files.entries()) {
      if ((await this.#hashOf(path)) === hash) continue;
      const content = texts[at] ?? Buffer.alloc(0);
      changes.push({ op: "write", path, content, isNew: true, isRestored: true });
    }
    // Page types may have changed since.
    const lenient = { ...options, validate: false };
    for (const result of await content.apply(changes, { ...lenient, dryRun: true })) {
      if (result.code !== "ERR_CONTENT_EXISTS") written(result);
      else throw new HttpError(409, `file ${JSON.stringify(result.path)} exists; move it first`);
    }
    for (const result of await content.apply(changes, lenient)) written(result);
    await this.#entries.remove(id);
    return entry;
  }

  #ownersOf(paths: readonly string[]): string[] {
    const { ownersOf } = this.#site.use("content");
    const [first = [], ...others] = paths.flatMap((path) => {
      const owners = ownersOf(path);
      return owners === null ? [] : [owners];
    });
    return first.filter((owner) => others.every((owners) => owners.includes(owner)));
  }

  async #hashOf(path: string): Promise<string | null> {
    try {
      return digestOf(await readFile(join(this.#site.paths.content, path)));
    } catch (error) {
      if (isMissing(error) || errorCode(error) === "EISDIR") return null;
      throw error;
    }
  }

  /** Deletes entries for good. */
  async purge(entries: readonly TrashEntry[]): Promise<void> {
    for (const { id } of entries) await this.#entries.remove(id);
  }

  /** Every file of a folder below the content folder. @throws HttpError 413. */
  async listFiles(folder: string): Promise<string[]> {
    const root = join(this.#site.paths.content, folder);
    const items = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = items
      .filter((item) => item.isFile())
      .map((item) => posix.join(folder, join(item.parentPath, item.name).slice(root.length + 1)))
      .filter((path) => !path.split("/").some((name) => name.startsWith(".")));
    if (paths.length <= MAX_FILES) return paths.toSorted();
    throw new HttpError(413, `the folder has ${paths.length} files; delete its parts first`);
  }
}

function digestOf(bytes: Buffer): string {
  return createHash("sha1").update(bytes).digest("hex");
}

const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const DAY_MS = 86_400_000;

const shape = z.object({
  id: z.string().regex(ID),
  kind: z.enum(["page", "media"]),
  path: z.string(),
  title: z.string(),
  deletedAt: z.number(),
  by: z.object({ id: z.string(), name: z.string() }),
  /** Accounts that owned all of its pages. */
  owners: z.array(z.string()).default([]),
  /** `hash`: the digest that the write path compares. */
  files: z.array(z.object({ path: z.string(), size: z.number(), hash: z.string() })),
});
/** Something that was deleted, with its files by their paths below the content folder. Times in Unix ms. */
export type TrashEntry = Readonly<z.infer<typeof shape>>;
/** Files to put into the trash. */
type NewTrash = Pick<TrashEntry, "kind" | "path" | "title" | "by" | "owners"> & {
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

/** The store of deleted files, and their lifetime. */
interface TrashOptions {
  readonly store: RecordStore;
  /** Absolute path of the content folder. */
  readonly content: string;
  readonly days: number;
  readonly clock: Clock;
}

/** Copies of deleted files: a record per deletion, and the bytes of its files by their number. */
class TrashEntries {
  readonly #options: TrashOptions;

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  /** Copies files into the trash. The entry is stored last: one that exists is complete. */
  async put({ paths, ...about }: NewTrash): Promise<TrashEntry> {
    const { content, clock } = this.#options;
    const deletedAt = clock.now();
    const id = ulid(deletedAt);
    try {
      const files: { path: string; size: number; hash: string }[] = [];
      for (const [at, path] of paths.entries()) {
        const bytes = await readFile(join(content, path));
        await this.#bytes.put(id, at, bytes);
        files.push({ path, size: bytes.length, hash: digestOf(bytes) });
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
    const ids = new Set(entries.map(({ id }) => id));
    const before = this.#options.clock.now() - DAY_MS;
    for (const key of await this.#bytes.keys()) {
      if (!ids.has(key) && decodeTime(key) < before) await this.#bytes.delete(key);
    }
  }

  get #entries(): RecordCollection<TrashEntry> {
    return this.#options.store.collection(COLLECTION);
  }

  get #bytes(): RecordBytes {
    return this.#options.store.bytes({ name: NAME, key: ID });
  }
}
