import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  errorCode,
  makeFolder,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  temporaryBeside,
} from "#kernel/internal";

const KEEP_MS = 30 * 24 * 3600 * 1000;
const PRUNE_EVERY_MS = 24 * 3600 * 1000;
/** A file whose modification time is the time of the last pruning. */
const PRUNED = "pruned";

/** Options of the file cache. */
export interface RenderedFilesOptions {
  /** May be deleted at any time. */
  folder: string;
  /** True when no requests are served (export): synchronous writes save two promises per page. */
  isExport: boolean;
}

/** A persistent text cache, one file per key. */
export class RenderedFiles {
  readonly #folder: string;
  readonly #isExport: boolean;
  #pruned: Promise<void> | null = null;

  constructor({ folder, isExport }: RenderedFilesOptions) {
    this.#folder = folder;
    this.#isExport = isExport;
  }

  /** The cached text; null when it is missing or unreadable. */
  async read(key: string): Promise<string | null> {
    if (!this.#isExport) return readFile(this.#file(key), "utf8").catch(() => null);
    try {
      return readFileSync(this.#file(key), "utf8");
    } catch {
      return null;
    }
  }

  /** Without fsync: a file lost in a crash is rendered again. */
  async write(key: string, text: string): Promise<void> {
    await (this.#pruned ??= this.#prune());
    const file = this.#file(key);
    const temporary = temporaryBeside(file);
    if (this.#isExport) return this.#writeNow(file, { temporary, text });
    await makeFolder(dirname(file));
    await writeFile(temporary, text, { mode: PRIVATE_FILE });
    await rename(temporary, file);
  }

  #writeNow(file: string, { temporary, text }: { temporary: string; text: string }): void {
    try {
      writeFileSync(temporary, text, { mode: PRIVATE_FILE });
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      // Checking first whether the folder exists would cost as much as creating it.
      mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
      writeFileSync(temporary, text, { mode: PRIVATE_FILE });
    }
    renameSync(temporary, file);
  }

  #file(key: string): string {
    return join(this.#folder, key.slice(0, 2), `${key.slice(2)}.json`);
  }

  // Deletes files unused for a month, at most once a day: checking ten thousand files costs more
  // than exporting a page.
  async #prune(): Promise<void> {
    const mark = join(this.#folder, PRUNED);
    const now = Date.now();
    const last = await stat(mark).catch(() => null);
    if (last !== null && Math.abs(now - last.mtimeMs) < PRUNE_EVERY_MS) return;
    const names = await readdir(this.#folder, { recursive: true }).catch(() => []);
    for (const name of names) {
      const file = join(this.#folder, name);
      const facts = await stat(file).catch(() => null);
      if (facts?.isFile() && facts.mtimeMs < now - KEEP_MS) await rm(file, { force: true });
    }
    await makeFolder(this.#folder);
    await writeFile(mark, "", { mode: PRIVATE_FILE });
  }
}
