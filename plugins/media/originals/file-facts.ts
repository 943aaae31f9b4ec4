import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { atomicWrite, type Logger } from "#kernel";
import { BoundedMap } from "#lib/values";

/** Maximum number of files with facts. */
const MAX_FILES = 50_000;

/** Options of facts about files. */
export interface FileFactsOptions<T> {
  /** Stores the facts between two runs. */
  readonly file: string;
  /** The schema of a fact. */
  readonly fact: z.ZodType<T>;
  /** Settings that the facts depend on: stored facts are used with the same ones only. */
  readonly basis?: string;
  readonly log: Logger;
}

/** Facts that are expensive to find, by `keyOfFile`; stored across restarts. */
export class FileFacts<T> {
  readonly #options: FileFactsOptions<T>;
  // Not in site.cache: one file that is read when first needed, and written as a whole.
  readonly #facts = new BoundedMap<T>(MAX_FILES);
  #loaded: Promise<void> | null = null;
  #isChanged = false;

  constructor(options: FileFactsOptions<T>) {
    this.#options = options;
  }

  /** The fact; undefined when it is unknown. */
  async get(key: string): Promise<T | undefined> {
    await (this.#loaded ??= this.#load());
    return this.#facts.get(key);
  }

  set(key: string, fact: T): void {
    this.#facts.set(key, fact);
    this.#isChanged = true;
  }

  /** Saves new facts; after a failure the next run finds them again. */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const { file, basis = "", log } = this.#options;
    try {
      await atomicWrite(file, JSON.stringify({ basis, facts: [...this.#facts.entries()] }));
    } catch (error) {
      log.warn("media.facts_not_saved", { file: basename(file), error: String(error) });
    }
  }

  async #load(): Promise<void> {
    const { file, fact, basis = "" } = this.#options;
    const shape = z.object({ basis: z.string(), facts: z.array(z.tuple([z.string(), fact])) });
    const stored = shape.safeParse(await readStored(file));
    if (!stored.success || stored.data.basis !== basis) return;
    for (const [key, value] of stored.data.facts) this.#facts.set(key, value);
  }
}

/** The key of a file in its present state; null when it is missing. */
export async function keyOfFile(file: string): Promise<string | null> {
  const stats = await stat(file).catch(() => null);
  return stats === null ? null : `${file}:${stats.mtimeMs}:${stats.size}`;
}

async function readStored(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return null;
  }
}
