/** Small stores of plugins: collections, logs, bytes and journals. The service and the engine slot `records`. */
import type {} from "#kernel";

/** Section `changes` of system.yaml. */
export interface ChangesSection {
  max_entries: number;
  max_days: number;
}

/** A value, and the node that stored it. */
export interface Stored<T> {
  readonly value: T;
  /** Null: the store belongs to one server. */
  readonly node: string | null;
}
/** Defines a collection: its keys and the check of its values. */
export interface CollectionDefinition<T> {
  /** Folder below `admin.runtimeDir` in the engine `files`; unique. */
  readonly name: string;
  /** Matches every key; other keys are never looked up. Only characters that are safe in file names. */
  readonly key: RegExp;
  /** True: keys are ULIDs, and the files of one day (UTC) share a folder. Default false. */
  readonly byDay?: boolean;
  /** True: files are indented and end with a line feed. Default false. */
  readonly isIndented?: boolean;
  /** A stored value; null when it is malformed, which counts as missing. */
  parse(value: unknown, key: string): T | null;
}
/** Values by key. Every method rejects while the store fails; a `SiteError` then has status and headers. */
export interface RecordCollection<T> {
  /** Null: missing or malformed. */
  get(key: string): Promise<Stored<T> | null>;
  /** Creates or replaces. `durable: false`: the value may be lost in a power failure. */
  put(key: string, value: T, options?: { durable?: boolean }): Promise<void>;
  /**
   * Replaces a value by what `change` returns, with no other write of the key in between; `change` gets
   * null for a missing value, and null from it changes nothing. Resolves with what is stored then.
   */
  update(
    key: string,
    change: (stored: T | null) => T | null,
    options?: { durable?: boolean },
  ): Promise<Stored<T> | null>;
  /** False: missing. */
  delete(key: string): Promise<boolean>;
  /**
   * By key, the greatest first. `since` (with `byDay`, Unix ms): only keys of that time or later. `total`
   * counts all of these, malformed ones included.
   */
  list(options?: {
    since?: number;
    limit?: number;
  }): Promise<{ items: readonly Stored<T>[]; total: number }>;
  /** With `byDay`: deletes the values of the days (UTC) before `before`, in Unix ms. */
  prune(before: number): Promise<void>;
}
/** Defines a log: its files, its size and the check of its entries. */
export interface LogDefinition<T> {
  /** Unique. */
  readonly name: string;
  /** Files below `admin.runtimeDir` in the engine `files`, the newest first: JSON, one entry per line. */
  readonly files: readonly string[];
  /** Size of all entries; above it, the oldest are deleted. */
  readonly maxBytes: number;
  /** A stored entry; null when it is malformed, which is skipped. */
  parse(value: unknown): T | null;
}
/** An object that is contained in an entry, with objects inside it: `{ actor: { id: "1" } }`. */
export interface LogMatch {
  readonly [key: string]: string | LogMatch;
}
/** Entries that are appended and never changed. Rejects as `RecordCollection` does. */
export interface RecordLog<T> {
  append(values: readonly T[]): Promise<void>;
  /** The newest first; `total` counts all that match. */
  list(query: {
    limit: number;
    offset: number;
    match?: LogMatch;
  }): Promise<{ entries: readonly Stored<T>[]; total: number }>;
  /**
   * Passes the entries after a cursor, oldest first; null: all. Resolves with the next cursor. Resolves
   * with null, and has passed none, when entries before the cursor were deleted: start again with null.
   */
  follow(cursor: string | null, take: (value: T) => void): Promise<string | null>;
}
/** Defines a store of bytes. */
export interface BytesDefinition {
  /** Folder below `admin.runtimeDir` in the engine `files`; a collection may have the same name. */
  readonly name: string;
  /** Matches every key; other keys are never looked up. Only characters that are safe in file names. */
  readonly key: RegExp;
}
/** Numbered byte arrays by key, such as copies of files. Rejects as `RecordCollection` does. */
export interface RecordBytes {
  /** Durable when it resolves. `at` counts from 0. */
  put(key: string, at: number, bytes: Buffer): Promise<void>;
  /** Null: missing. */
  get(key: string, at: number): Promise<Buffer | null>;
  /** Deletes all byte arrays of a key. */
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}
/** Defines a journal and its size. */
export interface JournalDefinition {
  /** Folder below `admin.runtimeDir` in the engine `files`; unique. */
  readonly name: string;
  /** At least so many entries are stored, and at most a tenth more. */
  readonly maxEntries: number;
}
/** A value and the time at which it happened. */
export interface JournalValue {
  /** Unix ms. */
  readonly at: number;
  readonly value: unknown;
}
/** A stored value of a journal. */
export interface JournalEntry extends JournalValue {
  /** Grows with each entry. */
  readonly n: number;
  /** Undefined: the entry is damaged. */
  readonly value: unknown;
}
/** Entries in one order for all that append, read in pages. Rejects as `RecordCollection` does. */
export interface RecordJournal {
  /** True: all nodes append to the same journal. */
  readonly isShared: boolean;
  /** Resolves when the entries are stored and survive a crash; the order is that of arrival. */
  append(values: readonly JournalValue[]): Promise<void>;
  /** The entries from number `from` on, oldest first, at most `limit`. No entry appears before an earlier one. */
  read(from: number, limit: number): Promise<readonly JournalEntry[]>;
  newest(): Promise<JournalEntry | null>;
  /** Deletes entries that exceed the size, and those that were followed by another one before `before` (Unix ms). */
  prune(before: number): Promise<void>;
}
/**
 * Small stores of plugins, in the active engine of the slot `records`.
 *
 * @example
 * const tides = site.use("records").collection({
 *   name: "tides",
 *   key: /^[a-z]{1,40}$/,
 *   parse: (value) => (typeof value === "number" ? value : null),
 * });
 * await tides.put("kiel", 0.4);
 */
export interface RecordStore {
  /** Call it for each use: another engine may be active later. */
  collection<T>(definition: CollectionDefinition<T>): RecordCollection<T>;
  /** Opens it, like `collection`. */
  log<T>(definition: LogDefinition<T>): RecordLog<T>;
  /** Opens it, like `collection`. */
  bytes(definition: BytesDefinition): RecordBytes;
  /** Opens it, like `collection`. */
  journal(definition: JournalDefinition): RecordJournal;
}
declare module "#kernel" {
  interface Services {
    records: RecordStore;
  }
  interface Engines {
    /**
     * Stores API tokens, the audit log, deliveries of webhooks and search analytics. Built in: `files`.
     *
     * @example
     * import type { RecordStore } from "sitewright/plugins";
     * declare const shared: RecordStore; // a store on another server
     * site.engines.activate("records", shared);
     */
    records: RecordStore;
  }
  interface SystemSettings {
    /** Limits of the journal of changes. */
    changes: ChangesSection;
  }
}
