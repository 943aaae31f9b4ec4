import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyedLock } from "#lib/concurrency";
import { atomicWrite, isAbsent, namesIn } from "#lib/files";
import type {
  BytesDefinition,
  CollectionDefinition,
  JournalDefinition,
  LogDefinition,
  RecordBytes,
  RecordCollection,
  RecordJournal,
  RecordLog,
  RecordStore,
} from "../contract.js";
import { CollectionFiles } from "./collection-files.js";
import { JournalFiles } from "./journal-files.js";
import { LogFiles } from "./log-files.js";

/** Collections, logs, bytes and journals as files of one server. */
export class FileStore implements RecordStore {
  readonly #folder: string;
  readonly #lock = new KeyedLock();
  readonly #journals = new Map<string, JournalFiles>();

  /** `folder`: absolute; created with the first entry. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  collection<T>(definition: CollectionDefinition<T>): RecordCollection<T> {
    return new CollectionFiles(this.#folder, definition, this.#lock);
  }

  log<T>(definition: LogDefinition<T>): RecordLog<T> {
    return new LogFiles(this.#folder, definition, this.#lock);
  }

  bytes(definition: BytesDefinition): RecordBytes {
    return new BytesFiles(this.#folder, definition);
  }

  journal(definition: JournalDefinition): RecordJournal {
    const { name } = definition;
    const journal = this.#journals.get(name) ?? new JournalFiles(this.#folder, definition);
    this.#journals.set(name, journal);
    return journal;
  }
}

/** One folder per key, with files named by their number: `{name}/{key}/{at}`. */
class BytesFiles implements RecordBytes {
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
