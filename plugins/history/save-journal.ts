/** Stores unfinished saves on disk, so that the next startup finishes them after a crash. */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { KeyedLock, type Logger } from "#kernel";
import { errorCode } from "#lib/errors";
import { isTemporary, makeFolder, PRIVATE_FILE, temporaryBeside } from "#lib/files";

/** Microseconds, and the worker that wrote it; earlier versions counted with twelve digits. */
const NAME = /^(\d{12}|\d{16})(?:-\d+)?\.json$/;

const bytes = z
  .string()
  .transform((text) => Buffer.from(text, "base64"))
  .nullable();
const changeShape = z.union([
  z.object({ op: z.enum(["write", "delete"]), path: z.string(), before: bytes, after: bytes }),
  z.object({ op: z.literal("move"), path: z.string(), to: z.string() }),
]);
const saveShape = z.object({
  changes: z.array(changeShape),
  actor: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  message: z.string().nullable(),
  at: z.number(),
});

/** A changed file. Bytes are null where the file did not or does not exist. */
export type SavedChange =
  | { op: "write" | "delete"; path: string; before: Buffer | null; after: Buffer | null }
  | { op: "move"; path: string; to: string };
/** One batch of written changes. */
export interface Save {
  readonly changes: readonly SavedChange[];
  readonly actor: { id: string; name: string; email: string } | null;
  readonly message: string | null;
  /** Unix ms. */
  readonly at: number;
}
/** A save, and the function that removes it from the journal when finished. */
export interface PendingSave {
  /** Its name in the journal. */
  readonly name: string;
  readonly save: Save;
  finish(): Promise<void>;
}

/** One file per save. Not synced: after a power failure the next save records what is missing. */
export class SaveJournal {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #worker: number;
  readonly #lock = new KeyedLock();
  #last = 0;

  /** `worker`: the number of this process among those that write to the folder. */
  constructor(folder: string, log: Logger, worker: number) {
    this.#folder = folder;
    this.#log = log;
    this.#worker = worker;
  }

  /** Unfinished saves, oldest first; those of a running worker are among them. */
  async left(): Promise<PendingSave[]> {
    const pending: PendingSave[] = [];
    for (const name of numbered(await this.#files())) {
      const save = await this.read(name);
      if (save !== null) pending.push(save);
    }
    return pending;
  }

  /** Removes what a crash left half written: while no other process writes. */
  async sweep(): Promise<void> {
    for (const name of (await this.#files()).filter(isTemporary))
      await rm(join(this.#folder, name));
  }

  /** An unfinished save; null when it is finished, or damaged. */
  async read(name: string): Promise<PendingSave | null> {
    const save = NAME.test(name) ? await this.#read(name) : null;
    return save === null ? null : this.#pending(name, save);
  }

  /** Calls `then` with each save, in order. A failed journal write does not fail the save. */
  add(save: Save, then: (pending: PendingSave) => void): Promise<void> {
    return this.#lock.run("add", async () => then(await this.#write(save)));
  }

  async #write(save: Save): Promise<PendingSave> {
    // Later than the saves of other workers, which are made one after the other.
    this.#last = Math.max(this.#last + 1, Date.now() * 1_000);
    const name = `${String(this.#last).padStart(16, "0")}-${this.#worker}.json`;
    const file = join(this.#folder, name);
    const temporary = temporaryBeside(file);
    try {
      await makeFolder(this.#folder);
      await writeFile(temporary, toText(save), { mode: PRIVATE_FILE });
      await rename(temporary, file);
    } catch (error) {
      this.#log.warn("history.journal_failed", { error: String(error) });
    }
    return this.#pending(name, save);
  }

  #pending(name: string, save: Save): PendingSave {
    return { name, save, finish: () => rm(join(this.#folder, name), { force: true }) };
  }

  async #files(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  async #read(name: string): Promise<Save | null> {
    const file = join(this.#folder, name);
    try {
      return saveShape.parse(JSON.parse(await readFile(file, "utf8")));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
      this.#log.warn("history.journal_damaged", { file: name });
      await rm(file, { force: true });
      return null;
    }
  }
}

function numbered(names: readonly string[]): string[] {
  const number = (name: string): number => Number(NAME.exec(name)?.[1]);
  return names.filter((name) => NAME.test(name)).toSorted((a, b) => number(a) - number(b));
}

function toText({ changes, ...save }: Save): string {
  const shown = changes.map((change) =>
    change.op === "move"
      ? change
      : { ...change, before: base64(change.before), after: base64(change.after) },
  );
  return JSON.stringify({ ...save, changes: shown });
}

function base64(value: Buffer | null): string | null {
  return value === null ? null : value.toString("base64");
}
