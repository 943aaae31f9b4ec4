import type {
  CollectionDefinition,
  LogDefinition,
  RecordCollection,
  RecordLog,
  RecordStore,
} from "#kernel";
import type { SharedDatabase } from "#lib/stores";
import type {
  BytesDefinition,
  JournalDefinition,
  RecordBytes,
  RecordJournal,
} from "#kernel/internal";
import { PostgresBytes } from "./bytes.js";
import { PostgresCollection } from "./collection.js";
import { PostgresJournal } from "./journal.js";
import { PostgresLog } from "./log.js";

/** Records and logs of all nodes. */
export class PostgresRecords implements RecordStore {
  readonly #database: SharedDatabase;
  readonly #node: string;
  /** Bytes that this node has appended to each log since it last deleted old entries. */
  readonly #appended = new Map<string, number>();

  /** `node`: the name under which this one stores. */
  constructor(database: SharedDatabase, node: string) {
    this.#database = database;
    this.#node = node;
  }

  collection<T>(definition: CollectionDefinition<T>): RecordCollection<T> {
    return new PostgresCollection(this.#database, this.#node, definition);
  }

  log<T>(definition: LogDefinition<T>): RecordLog<T> {
    const parts = { database: this.#database, node: this.#node, appended: this.#appended };
    return new PostgresLog(parts, definition);
  }

  bytes(definition: BytesDefinition): RecordBytes {
    return new PostgresBytes(this.#database, definition);
  }

  journal(definition: JournalDefinition): RecordJournal {
    return new PostgresJournal({ database: this.#database, node: this.#node }, definition);
  }
}
