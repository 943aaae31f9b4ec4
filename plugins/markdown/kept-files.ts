import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, temporaryBeside } from "#kernel";

const KEEP_MS = 30 * 24 * 3600 * 1000;
const PRUNE_EVERY_MS = 24 * 3600 * 1000;
/** Its time is that of the last look for old files. */
const PRUNED = "pruned";

/** How files are read and written. */
export interface KeptFilesOptions {
  /** May be deleted at any time. */
  folder: string;
  /** True where nobody waits besides this work: an export spares itself two promises a page. */
  isAlone: boolean;
}

/** Texts by key, a file each, that outlive a restart. */
export class KeptFiles {
  readonly #folder: string;
  readonly #isAlone: boolean;
  #pruned: Promise<void> | null = null;

  constructor({ folder, isAlone }: KeptFilesOptions) {
    this.#folder = folder;
    this.#isAlone = isAlone;
  }

  /** The text of a key; null when there is none that can be read. */
  async read(key: string): Promise<string | null> {
    if (!this.#isAlone) return readFile(this.#file(key), "utf8").catch(() => null);
    try {
      return readFileSync(this.#file(key), "utf8");
    } catch {
      return null;
    }
  }

  /** Without fsync: a file lost in a crash is made again. */
  async write(key: string, text: string): Promise<void> {
    await (this.#pruned ??= this.#prune());
    const file = this.#file(key);
    const temporary = temporaryBeside(file);
    if (this.#isAlone) return this.#writeNow(file, { temporary, text });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, text);
    await rename(temporary, file);
  }

  #writeNow(file: string, { temporary, text }: { temporary: string; text: string }): void {
    try {
      writeFileSync(temporary, text);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      // Looking first whether the folder is there would cost as much as the file does.
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(temporary, text);
    }
    renameSync(temporary, file);
  }

  #file(key: string): string {
    return join(this.#folder, key.slice(0, 2), `${key.slice(2)}.json`);
  }

  // Changed bodies leave files behind; those not written for a month go. A look at each of ten
  // thousand files costs more than an export of one page, so there is one a day.
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
    await mkdir(this.#folder, { recursive: true });
    await writeFile(mark, "");
  }
}
