import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ulid } from "ulid";
import { z } from "zod";
import { atomicWrite, type Clock } from "#kernel";
import { errorCode, isTemporary, makeFolder, syncFolder, temporaryBeside } from "#kernel/internal";

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const DAY_MS = 86_400_000;
const ENTRY = "entry.json";

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

/** Where and for how long deleted files are kept. */
export interface TrashOptions {
  /** Absolute; created with the first entry. */
  readonly folder: string;
  /** Absolute path of the content folder. */
  readonly content: string;
  readonly days: number;
  readonly clock: Clock;
}

/** Copies of deleted files: a folder per deletion, with files named by their number. */
export class TrashFolder {
  readonly #options: TrashOptions;

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  /** Copies files into the trash. They are complete there, or not at all. */
  async put({ paths, ...about }: NewTrash): Promise<TrashEntry> {
    const { folder, content, clock } = this.#options;
    await makeFolder(folder);
    const deletedAt = clock.now();
    const id = ulid(deletedAt);
    const own = temporaryBeside(join(folder, id));
    try {
      await makeFolder(own);
      const files: { path: string; size: number; hash: string }[] = [];
      for (const [at, path] of paths.entries()) {
        const copy = join(own, String(at));
        await copyFile(join(content, path), copy);
        const bytes = await readFile(copy);
        const hash = createHash("sha1").update(bytes).digest("hex");
        files.push({ path, size: bytes.length, hash });
      }
      const entry = { id, ...about, deletedAt, files };
      await atomicWrite(join(own, ENTRY), JSON.stringify(entry), { mode: 0o600 });
      await rename(own, join(folder, id));
      await syncFolder(folder);
      return entry;
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
  }

  /** The latest first. Deletes what is too old. */
  async list(): Promise<TrashEntry[]> {
    const since = this.#options.clock.now() - this.#options.days * DAY_MS;
    const entries: TrashEntry[] = [];
    for (const id of await this.#ids()) {
      const entry = await this.get(id);
      if (entry !== null && entry.deletedAt >= since) entries.push(entry);
      else if (entry !== null) await this.remove(id);
    }
    return entries.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  /** Null: missing or malformed. */
  async get(id: string): Promise<TrashEntry | null> {
    if (!ID.test(id)) return null;
    try {
      const text = await readFile(join(this.#options.folder, id, ENTRY), "utf8");
      const { data } = shape.safeParse(JSON.parse(text));
      return data?.id === id ? data : null;
    } catch (error) {
      if (error instanceof SyntaxError || isAbsent(error)) return null;
      throw error;
    }
  }

  /** The bytes of the entry's files, in order. */
  read({ id, files }: TrashEntry): Promise<Buffer[]> {
    return Promise.all(files.map((_, at) => readFile(join(this.#options.folder, id, String(at)))));
  }

  async remove(id: string): Promise<void> {
    if (ID.test(id)) await rm(join(this.#options.folder, id), { recursive: true, force: true });
  }

  async #ids(): Promise<string[]> {
    try {
      const names = await readdir(this.#options.folder);
      return names.filter((name) => ID.test(name) && !isTemporary(name));
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}
