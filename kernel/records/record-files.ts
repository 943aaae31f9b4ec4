import { KeyedLock } from "#lib/concurrency";
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
} from "../contracts.js";
import { BytesFiles } from "./bytes-files.js";
import { CollectionFiles } from "./collection-files.js";
import { JournalFiles } from "./journal-files.js";
import { LogFiles } from "./log-files.js";

/** Records and logs as files of one server. */
export class RecordFiles implements RecordStore {
  readonly #folder: string;
  readonly #lock = new KeyedLock();
  readonly #journals = new Map<string, JournalFiles>();

  /** `folder`: absolute; created with the first record. */
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
