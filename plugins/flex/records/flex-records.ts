import { HttpError, type Logger, type FieldKinds } from "#kernel";
import type { ContentProblem } from "../../content/contract.js";
import type { FlexType } from "../contract.js";
import { FlexTypes } from "../flex-types.js";
import type { Migrations } from "../migrations.js";
import {
  isSameStamp,
  type FileProblem,
  type FileStamp,
  type FlexFile,
  type FlexFiles,
  toProblem,
} from "./flex-files.js";
import {
  readSource,
  hashText,
  isProblem,
  toStoredRecord,
  readVersion,
  type ReadText,
  type StoredRecord,
} from "./record-file.js";
import { RecordList } from "./record-list.js";
import type { RecordSnapshots, CachedRecord } from "./record-snapshots.js";
import { flexPath, type UnreadFiles } from "./unread-files.js";

/** Minimum number of records for which a type gets a snapshot. */
const MIN_SNAPSHOT_RECORDS = 100;

/** Dependencies of reading records. */
interface FlexRecordsDependencies {
  readonly files: FlexFiles;
  readonly migrations: Migrations;
  readonly snapshots: RecordSnapshots;
  readonly log: Logger;
  readonly unread: UnreadFiles;
  readonly kinds: FieldKinds;
  /** Time zone of dates without an offset. */
  readonly timezone: string;
  /** Called for a record that was migrated on read. */
  readonly onMigrated: (type: string, id: string) => void;
}

/** Types and records in memory: schemas are loaded at once, records of a type on first use. */
export class FlexRecords {
  readonly #parts: FlexRecordsDependencies;
  readonly #types: FlexTypes;
  readonly #loaded = new Map<string, Promise<Loaded>>();
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: FlexRecordsDependencies) {
    this.#parts = parts;
    this.#types = new FlexTypes(parts);
  }

  types(): readonly FlexType[] {
    return this.#types.all();
  }

  type(name: string): FlexType | undefined {
    return this.#types.get(name);
  }

  /** Types whose records are in memory. */
  loadedTypes(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /**
   * Reads the schema files; records of a changed type are reloaded on demand. Returns the names of new,
   * changed or deleted types.
   */
  readTypes(): readonly string[] {
    const changed = this.#types.read();
    for (const name of changed) this.#loaded.delete(name);
    return changed;
  }

  /** The records of a type; null for an unknown type. */
  async list(name: string): Promise<RecordList | null> {
    const type = this.#types.get(name);
    return type === undefined ? null : (await this.#load(type)).list;
  }

  /**
   * Rejects while a file cannot be read and no earlier version of its record is known: a client that mirrors
   * the records would delete it. `id`: only this record counts.
   * @throws HttpError 503 ERR_FLEX_READ with Retry-After.
   */
  async assertComplete(name: string, id?: string): Promise<void> {
    const type = this.#types.get(name);
    const { unread } = this.#parts;
    if (type === undefined || unread.paths.length === 0) return;
    const { records } = await this.#load(type);
    const folder = `${flexPath(name)}/`;
    const isMissing = unread.paths
      .filter((path) => path.startsWith(folder))
      .map((path) => path.slice(folder.length, -".yaml".length))
      .some((other) => (id === undefined || other === id) && !records.has(other));
    if (!isMissing) return;
    throw new HttpError(503, "a record cannot be read at the moment", {
      code: "ERR_FLEX_READ",
      headers: { "Retry-After": "1" },
    });
  }

  /** All problems of schemas and records. */
  async problems(): Promise<readonly ContentProblem[]> {
    const problems = [...this.#types.problems, ...this.#parts.unread.problems()];
    for (const type of this.#types.all())
      problems.push(...(await this.#load(type)).problems.values());
    return problems;
  }

  /** Unloads the records of one type or of all types; they are reloaded on demand. */
  invalidate(type?: string): void {
    if (type === undefined) this.#loaded.clear();
    else this.#loaded.delete(type);
  }

  /**
   * Re-reads one record; null when it has not changed or its type is not loaded. `written`: the text that was just
   * written, which is not parsed again.
   */
  async reread(
    name: string,
    id: string,
    written: ReadText | null = null,
  ): Promise<RecordChange | null> {
    const type = this.#types.get(name);
    const loading = this.#loaded.get(name);
    if (type === undefined || loading === undefined) return null;
    const loaded = await loading;
    const file = this.#parts.files.record(name, id);
    if (file !== null && this.#isUnread(name, file)) return null;
    this.#parts.unread.clear(flexPath(name, id));
    if (file !== null && isTakenOver(loaded, file)) return null;
    const read = file === null ? null : await this.#parse(type, file, written);
    return replaceRecord(loaded, { type, id, file, read });
  }

  /** Loaded records whose files were changed or deleted. */
  async changed(): Promise<readonly { type: string; id: string }[]> {
    const changed: { type: string; id: string }[] = [];
    const loaded = [...this.#loaded];
    for (const [type, loading] of loaded) {
      const ids = await this.#changedIds(type, await loading).catch((error: unknown) => {
        this.#parts.unread.note(flexPath(type), String(error));
        return [];
      });
      changed.push(...ids.map((id) => ({ type, id })));
    }
    return changed;
  }

  /** Records whose files were changed or deleted. */
  async #changedIds(name: string, loaded: Loaded): Promise<string[]> {
    const { records, problems, stamps } = loaded;
    const gone = new Set([...records.keys(), ...problems.keys()]);
    const ids: string[] = [];
    const unread = new Set<string>();
    const isKnown = (id: string, stamp: FileStamp) => isSameStamp(stamps.get(id), stamp);
    for await (const file of this.#parts.files.records(name, isKnown)) {
      gone.delete(file.name);
      if (this.#isUnread(name, file)) {
        unread.add(flexPath(name, file.name));
        continue;
      }
      if (file.isKnown !== true && !isTakenOver(loaded, file)) ids.push(file.name);
    }
    this.#parts.unread.clear(flexPath(name));
    this.#parts.unread.settle(flexPath(name), unread);
    return [...ids, ...gone];
  }

  /** Notes an unreadable file; its record remains. */
  #isUnread(type: string, { name, problem, isUnreadable }: FlexFile): boolean {
    if (isUnreadable === true) this.#parts.unread.note(flexPath(type, name), problem ?? "");
    return isUnreadable === true;
  }

  /** Saves loaded records for the next startup, one run at a time. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      const all = [...this.#loaded];
      for (const [name, loading] of all) {
        const type = this.#types.get(name);
        const loaded = await loading.catch(() => null);
        if (type !== undefined && loaded !== null) await this.#saveOne(type, loaded);
      }
    });
    return this.#saving;
  }

  async #saveOne(type: FlexType, loaded: Loaded): Promise<void> {
    // Reading a few records is fast.
    if (!loaded.isChanged || loaded.stamps.size < MIN_SNAPSHOT_RECORDS) return;
    loaded.isChanged = false;
    // File times use the system clock, not the clock of the site.
    await this.#parts.snapshots.save(type, cachedRecords(loaded), Date.now());
  }

  #load(type: FlexType): Promise<Loaded> {
    const running = this.#loaded.get(type.name);
    if (running !== undefined) return running;
    const loading = this.#read(type);
    this.#loaded.set(type.name, loading);
    // Do not cache a failure: the next caller reads again.
    loading.then(
      () => this.save(),
      (error: unknown) => {
        this.#loaded.delete(type.name);
        this.#parts.unread.note(flexPath(type.name), String(error));
      },
    );
    return loading;
  }

  async #read(type: FlexType): Promise<Loaded> {
    const snapshot = await this.#parts.snapshots.load(type);
    const loaded = emptyLoaded(type, this.#parts.timezone);
    const isKnown = (id: string, stamp: FileStamp) => isSameStamp(snapshot.get(id)?.stamp, stamp);
    for await (const file of this.#parts.files.records(type.name, isKnown)) {
      const isUnread = this.#isUnread(type.name, file);
      const cached = file.isKnown === true || isUnread ? snapshot.get(file.name) : undefined;
      if (isUnread) {
        // Its earlier version stays.
        if (cached !== undefined) {
          loaded.records.set(file.name, cached.stored);
          loaded.stamps.set(file.name, cached.stamp);
        }
        continue;
      }
      const read = cached?.stored ?? (await this.#parse(type, file));
      setRecord(loaded, { type, id: file.name, file, read });
    }
    this.#parts.unread.clear(flexPath(type.name));
    loaded.isChanged = [...loaded.stamps].some(([id, stamp]) => !isKnown(id, stamp));
    loaded.isChanged ||= loaded.stamps.size !== snapshot.size;
    loaded.list = new RecordList(type, loaded.records, this.#parts.timezone);
    for (const { sourcePath, message } of loaded.problems.values()) {
      this.#parts.log.warn("flex.record_problem", { file: sourcePath, message });
    }
    return loaded;
  }

  async #parse(
    type: FlexType,
    file: FlexFile,
    written: ReadText | null = null,
  ): Promise<StoredRecord | FileProblem> {
    if (file.problem !== null) return { code: "ERR_FLEX_YAML", message: file.problem };
    const isRead = written?.type === type && written.text === file.text;
    const yaml = isRead
      ? { ok: true as const, value: written.values }
      : readSource(file.text, type);
    if (!yaml.ok) return { code: "ERR_FLEX_YAML", message: yaml.message, line: yaml.line };
    try {
      const isOld = readVersion(yaml.value) < type.version;
      const source = isOld ? await this.#parts.migrations.migrate(type, yaml.value) : yaml.value;
      const stored = toStoredRecord(source, {
        type,
        id: file.name,
        hash: hashText(file.text),
        fallbackTime: Math.floor(file.mtimeMs),
      });
      if (source === yaml.value || isProblem(stored)) return stored;
      this.#parts.onMigrated(type.name, file.name);
      return { ...stored, isMigrated: true };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { code: "ERR_FLEX_MIGRATION", message };
    }
  }
}

/** The loaded records of one type. */
interface Loaded {
  readonly records: Map<string, StoredRecord>;
  readonly problems: Map<string, ContentProblem>;
  /** File state of each record that matches its file. */
  readonly stamps: Map<string, FileStamp>;
  list: RecordList;
  /** True when the snapshot on disk is outdated. */
  isChanged: boolean;
}
/** A change of a record that was found on disk. */
interface RecordChange {
  readonly op: "create" | "update" | "delete";
  readonly before: StoredRecord | null;
  readonly stored: StoredRecord | null;
}
/** A type without loaded records. */
function emptyLoaded(type: FlexType, timezone: string): Loaded {
  const records = new Map<string, StoredRecord>();
  const list = new RecordList(type, records, timezone);
  return { records, problems: new Map(), stamps: new Map(), list, isChanged: false };
}

/** A record file that was read. */
interface ReadRecord {
  readonly type: FlexType;
  readonly id: string;
  /** Null for a missing file. */
  readonly file: FlexFile | null;
  readonly read: StoredRecord | FileProblem | null;
}

/** Applies a read record. */
function setRecord(loaded: Loaded, { type, id, file, read }: ReadRecord): void {
  if (read === null || file === null) return;
  if (isProblem(read)) {
    loaded.problems.set(id, toProblem(`flex-objects/${type.name}/${id}.yaml`, read));
    return;
  }
  loaded.records.set(id, read);
  // A migrated record differs from its file: it is re-read until it is written back.
  if (!read.isMigrated) loaded.stamps.set(id, { mtimeMs: file.mtimeMs, size: file.size });
}

/**
 * True when the loaded record matches the file. This includes the mtime, which records without own
 * times use.
 */
function isTakenOver({ records, stamps }: Loaded, file: FlexFile): boolean {
  const stored = records.get(file.name);
  if (stored?.hash !== hashText(file.text)) return false;
  return stored.isMigrated === true || isSameStamp(stamps.get(file.name), file);
}

/** The records that match their files. */
function cachedRecords({ records, stamps }: Loaded): ReadonlyMap<string, CachedRecord> {
  const cached = new Map<string, CachedRecord>();
  for (const [id, stamp] of stamps) {
    const stored = records.get(id);
    if (stored !== undefined) cached.set(id, { stamp, stored });
  }
  return cached;
}

/** Replaces a record atomically, so that it is never missing. */
function replaceRecord(loaded: Loaded, change: ReadRecord): RecordChange | null {
  const { type, id } = change;
  const before = loaded.records.get(id) ?? null;
  loaded.records.delete(id);
  loaded.problems.delete(id);
  loaded.stamps.delete(id);
  loaded.isChanged = true;
  setRecord(loaded, change);
  loaded.list = new RecordList(type, loaded.records, loaded.list.names.timezone);
  const stored = loaded.records.get(id) ?? null;
  if (stored === null) return before === null ? null : { op: "delete", before, stored };
  // Only the mtime has changed, and the record has its own times.
  if (before?.hash === stored.hash && before.json === stored.json) return null;
  return { op: before === null ? "create" : "update", before, stored };
}
