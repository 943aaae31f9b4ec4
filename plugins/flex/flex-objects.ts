import type { Clock, FieldKinds, Logger, Modules, WriteLock } from "#kernel";
import { ApplyChanges, type WrittenRecord } from "./apply-changes.js";
import type {
  FlexApplyOptions,
  FlexChange,
  FlexChangeResult,
  FlexListQuery,
  FlexMigrationOptions,
  FlexMigrationReport,
  FlexRecord,
  FlexService,
} from "./contract.js";
import { FlexFiles } from "./records/flex-files.js";
import { FlexRecords } from "./records/flex-records.js";
import { Migrations, migrateText, migrateType } from "./migrations.js";
import { toState, checkRecord, type ReadText } from "./records/record-file.js";
import type { RecordList } from "./records/record-list.js";
import { RecordSnapshots } from "./records/record-snapshots.js";
import type { MissingRelations } from "./flex-types.js";
import { changedRecord, type ChangedFile } from "./records/watch-folder.js";
import { flexPath, UnreadFiles } from "./records/unread-files.js";

/** Dependencies of flex objects. */
interface FlexDependencies {
  /** Absolute path of `flex-objects/`. */
  readonly folder: string;
  /** Absolute path of `migrations/`. */
  readonly migrations: string;
  /** Absolute path of the folder for record snapshots. */
  readonly cache: string;
  readonly modules: Modules;
  /** Kinds that fields may have. */
  readonly kinds: FieldKinds;
  /** Absent: relations are not checked. */
  readonly missing?: MissingRelations;
  readonly clock: Clock;
  /** IANA name of the time zone of the site. */
  readonly timezone: string;
  readonly log: Logger;
  /** Held while a record is checked and written. Absent: no other process writes. */
  readonly writeLock?: () => WriteLock;
  /** Announces a change of a record, or of a schema with an empty `id`. */
  readonly announce: (change: AnnouncedRecord) => Promise<void>;
}
/** An announced change. */
export interface AnnouncedRecord extends WrittenRecord {
  readonly after: WrittenRecord["before"];
  /** True for a change that was found on the disk. */
  readonly isFound?: boolean;
}

/** The service `flex`: types, records, the write path. */
export class FlexObjects implements FlexService {
  readonly #parts: FlexDependencies;
  readonly #files: FlexFiles;
  readonly #unread: UnreadFiles;
  readonly #migrations: Migrations;
  readonly #records: FlexRecords;
  readonly #changes: ApplyChanges;
  readonly #writeBacks: WriteBacks;

  constructor(parts: FlexDependencies) {
    this.#parts = parts;
    this.#files = new FlexFiles(parts.folder);
    this.#unread = new UnreadFiles(parts.log);
    this.#migrations = new Migrations(parts.migrations, parts.modules);
    this.#records = new FlexRecords({
      files: this.#files,
      migrations: this.#migrations,
      snapshots: new RecordSnapshots(parts.cache, parts.log),
      kinds: parts.kinds,
      timezone: parts.timezone,
      log: parts.log,
      unread: this.#unread,
      onMigrated: (type, id) => this.#writeBacks.add(type, id),
    });
    this.#writeBacks = new WriteBacks((type, id) => this.#writeBack(type, id), parts.log);
    this.#changes = new ApplyChanges({
      files: this.#files,
      ...(parts.writeLock && { writeLock: parts.writeLock }),
      clock: parts.clock,
      timezone: parts.timezone,
      missing: parts.missing,
      type: (name) => this.#records.type(name),
      migrated: (type, source) => this.#migrations.migrate(type, source),
      stored: (type, id) => this.#stored(type, id),
      written: (change, file) => this.#written(change, file),
    });
  }

  types() {
    return this.#records.types();
  }

  flexTypes() {
    return this.#records.types();
  }

  type(name: string) {
    return this.#records.type(name);
  }

  /** @throws HttpError 503 while a record, or this one, cannot be read and no earlier version is known. */
  assertComplete(type: string, id?: string): Promise<void> {
    return this.#records.assertComplete(type, id);
  }

  /** The list itself, for callers that need its prepared JSON. */
  recordList(type: string): Promise<RecordList | null> {
    return this.#records.list(type);
  }

  async list(type: string, query?: FlexListQuery) {
    const slice = (await this.#records.list(type))?.select(query);
    if (slice === undefined) return null;
    return { records: slice.items.map(({ record }) => record), total: slice.total };
  }

  async get(type: string, id: string): Promise<FlexRecord | null> {
    const stored = (await this.#records.list(type))?.get(id);
    return stored?.isPublished === true ? stored.record : null;
  }

  async source(type: string, id: string) {
    await this.#records.list(type);
    // Wait for a pending write-back: it would invalidate the digest that the client sends on save.
    await this.#writeBacks.settledOf(type, id);
    const stored = (await this.#records.list(type))?.get(id);
    return stored === undefined ? null : { record: stored.record, hash: stored.hash };
  }

  async all(type: string) {
    const list = await this.#records.list(type);
    return list === null ? [] : list.all().map(({ record }) => record);
  }

  apply(
    changes: readonly FlexChange[],
    options: FlexApplyOptions = {},
  ): Promise<FlexChangeResult[]> {
    return this.#changes.apply(changes, options);
  }

  validate(name: string, data: Readonly<Record<string, unknown>>) {
    const type = this.#records.type(name);
    if (type !== undefined) return checkRecord(type, data).errors;
    return [{ field: "", code: "ERR_FLEX_TYPE", message: "Unknown type." }];
  }

  problems() {
    return this.#records.problems();
  }

  async migrate(name: string, options: FlexMigrationOptions): Promise<FlexMigrationReport> {
    const type = this.#records.type(name);
    if (type === undefined) {
      return { type: name, records: 0, migrated: 0, current: 0, from: 0, to: 0, failed: [] };
    }
    const parts = { files: this.#files, migrations: this.#migrations, changes: this.#changes };
    const report = await migrateType(parts, type, options);
    if (!options.dryRun && report.migrated > 0) this.#records.invalidate(name);
    return report;
  }

  /** Reads the schema files; records are read on demand. */
  readTypes(): void {
    this.#records.readTypes();
  }

  async refresh(keys?: readonly string[]): Promise<void> {
    if (keys !== undefined) return this.filesChanged(keys.flatMap(changedRecord));
    await this.#parts.modules.invalidate();
    this.#migrations.invalidate();
    await this.rescan();
  }

  /** Retries unreadable files until `close`. */
  retryUnread(): void {
    this.#unread.retryWith(() => this.#retry());
  }

  /** Number of unreadable files and folders. */
  get unread(): number {
    return this.#unread.paths.length;
  }

  close(): void {
    this.#unread.close();
  }

  async #retry(): Promise<void> {
    await this.rescan();
    for (const { name } of this.#records.types()) {
      if (!this.#unread.paths.includes(flexPath(name))) continue;
      // The type was unreadable before, so all its records are new.
      await this.#records.list(name);
      await this.#announceType(name);
    }
  }

  /** Looks for missed changes. */
  async rescan(): Promise<void> {
    await this.#rereadTypes();
    for (const { type, id } of await this.#records.changed()) await this.#reread(type, id);
  }

  /** Applies external file changes. */
  async filesChanged(files: readonly ChangedFile[]): Promise<void> {
    if (files.some(({ id }) => id === null)) await this.#rereadTypes();
    for (const { type, id } of files) {
      if (id !== null) await this.#reread(type, id);
    }
  }

  /** Saves the loaded records for the next startup. */
  save(): Promise<void> {
    return this.#records.save();
  }

  /** Resolves when records migrated on read are written. */
  settled(): Promise<void> {
    return this.#writeBacks.settled();
  }

  async #rereadTypes(): Promise<void> {
    for (const type of this.#records.readTypes()) await this.#announceType(type);
  }

  #announceType(type: string): Promise<void> {
    const none = { id: "", before: null, after: null };
    return this.#parts.announce({ op: "update", type, ...none, isFound: true });
  }

  /** Waits for a running change of the record, which its writer announces. */
  #reread(type: string, id: string): Promise<void> {
    return this.#changes.inTurn(type, id, async () => {
      const change = await this.#records.reread(type, id);
      if (change === null) return;
      const states = { before: toState(change.before), after: toState(change.stored) };
      await this.#parts.announce({ op: change.op, type, id, ...states, isFound: true });
    });
  }

  /** Loads the type on first use. */
  async #stored(type: string, id: string) {
    return toState((await this.#records.list(type))?.get(id));
  }

  async #written(change: WrittenRecord, file: ReadText | null): Promise<void> {
    const { type, id } = change;
    await this.#records.reread(type, id, file);
    await this.#parts.announce({ ...change, after: await this.#stored(type, id) });
  }

  async #writeBack(name: string, id: string): Promise<void> {
    const type = this.#records.type(name);
    if (type === undefined) return;
    const next = async (text: string) => (await migrateText(this.#migrations, type, text)).text;
    await this.#changes.rewrite(name, id, next);
    await this.#records.reread(name, id);
  }
}

/** Writes records that were migrated on read back to their files. */
export class WriteBacks {
  readonly #write: (type: string, id: string) => Promise<void>;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<void>>();

  /** `write` writes one record; after a failure the record is migrated again on the next read. */
  constructor(write: (type: string, id: string) => Promise<void>, log: Logger) {
    this.#write = write;
    this.#log = log;
  }

  /** Writes a record in the background. */
  add(type: string, id: string): void {
    const key = `${type}/${id}`;
    const writing = this.#write(type, id)
      .catch((error: unknown) => {
        this.#log.warn("flex.migration_not_written", { type, id, error: String(error) });
      })
      .finally(() => {
        // A later write of the same record may be running; it finishes after this one.
        if (this.#running.get(key) === writing) this.#running.delete(key);
      });
    this.#running.set(key, writing);
  }

  /** Resolves when a pending write of the record has finished or failed. */
  async settledOf(type: string, id: string): Promise<void> {
    await this.#running.get(`${type}/${id}`);
  }

  /** Resolves when all pending writes have finished or failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
