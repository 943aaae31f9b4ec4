import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#lib/files";
import type { BytesDefinition, RecordBytes } from "../contracts.js";
import { isAbsent, namesIn } from "./names-in.js";

/** One folder per key, with files named by their number: `{name}/{key}/{at}`. */
export class BytesFiles implements RecordBytes {
  readonly #folder: string;
  readonly #key: RegExp;

  constructor(folder: string, { name, key }: BytesDefinition) {
    this.#folder = join(folder, name);
    this.#key = key;
  }

  async put(key: string, at: number, bytes: Buffer): Promise<void> {
    await atomicWrite(join(this.#folder, key, String(at)), bytes);
  }

  async get(key: string, at: number): Promise<Buffer | null> {
    if (!this.#key.test(key)) return null;
    try {
      return await readFile(join(this.#folder, key, String(at)));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    if (!this.#key.test(key)) return;
    await rm(join(this.#folder, key), { recursive: true, force: true });
  }

  async keys(): Promise<readonly string[]> {
    return (await namesIn(this.#folder)).filter((name) => this.#key.test(name));
  }
}
