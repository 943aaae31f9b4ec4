/** The conflicts that wait for a decision, one file each; they survive every state of the repository. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "#lib/values";
import { atomicWrite } from "#kernel";
import { errorCode } from "#lib/errors";

const bytes = z
  .base64()
  .transform((text) => Buffer.from(text, "base64"))
  .nullable();
const recordShape = z.object({
  path: z.string(),
  at: z.number(),
  author: z.object({ name: z.string(), email: z.string() }),
  ours: bytes,
});
const NAME = /^([0-9a-f]{24})\.json$/;

/** A file that was changed on both sides. */
export interface ConflictRecord {
  readonly id: string;
  /** From the root of the repository. */
  readonly path: string;
  /** Unix ms. */
  readonly at: number;
  readonly author: { readonly name: string; readonly email: string };
  /** The bytes of this site; null: deleted. */
  readonly ours: Buffer | null;
}

/** The stored conflicts. */
export class Conflicts {
  readonly #folder: string;
  readonly #records = new Map<string, ConflictRecord>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads what other processes have stored. A damaged file stays on the disk and is left out. */
  async load(): Promise<void> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    });
    const stored = new Set(names);
    for (const id of this.#records.keys()) {
      if (!stored.has(`${id}.json`)) this.#records.delete(id);
    }
    for (const name of names) {
      const id = NAME.exec(name)?.[1];
      if (id === undefined) continue;
      const text = await readFile(join(this.#folder, name), "utf8");
      const read = recordShape.safeParse(parseJson(text));
      if (read.success) this.#records.set(id, { ...read.data, id });
    }
  }

  /** Oldest first. */
  list(): readonly ConflictRecord[] {
    return [...this.#records.values()].toSorted((a, b) => a.at - b.at);
  }

  get(id: string): ConflictRecord | undefined {
    return this.#records.get(id);
  }

  /** The conflict of a path, or of a file below it. */
  at(path: string): ConflictRecord | undefined {
    return this.list().find((one) => one.path === path || one.path.startsWith(`${path}/`));
  }

  /** Stores a conflict; once, also when a run that was killed stored it before. */
  async add(conflict: Omit<ConflictRecord, "id">): Promise<void> {
    const { path, ours } = conflict;
    const hash = createHash("sha256").update(`${path}\0${ours === null ? 0 : 1}\0`);
    const id = hash
      .update(ours ?? "")
      .digest("hex")
      .slice(0, 24);
    const stored = { ...conflict, ours: ours?.toString("base64") ?? null };
    await atomicWrite(join(this.#folder, `${id}.json`), JSON.stringify(stored));
    this.#records.set(id, { ...conflict, id });
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.#folder, `${id}.json`), { force: true });
    this.#records.delete(id);
  }
}
