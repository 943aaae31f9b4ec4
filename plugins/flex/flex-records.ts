import type { Logger } from "#kernel";
import type { ContentProblem } from "../content/contract.js";
import type { FlexType } from "./contract.js";
import { isSameStamp, type FileStamp, type FlexFile, type FlexFiles } from "./flex-files.js";
import { FlexTypes } from "./flex-types.js";
import {
  emptyLoaded,
  isTakenOver,
  keepRecord,
  keptRecords,
  replaceRecord,
  setRecord,
  type Loaded,
  type RecordChange,
} from "./loaded-records.js";
import type { Migrations } from "./migrations.js";
import { readYamlMap } from "./read-yaml.js";
import { hashOf, isProblem, toStoredRecord, versionOf, type StoredRecord } from "./record-file.js";
import { RecordList } from "./record-list.js";
import type { RecordSnapshots } from "./record-snapshots.js";
import type { FileProblem } from "./type-schema.js";
import { flexPath, type UnreadFiles } from "./unread-files.js";

/** Records of a type from which they are kept for the next start. */
const LEAST_KEPT = 100;

/** What the records are read with. */
export interface FlexRecordsParts {
  readonly files: FlexFiles;
  readonly migrations: Migrations;
  readonly snapshots: RecordSnapshots;
  readonly log: Logger;
  readonly unread: UnreadFiles;
  /** Hears of a record that was migrated when it was read. */
  readonly onMigrated: (type: string, id: string) => void;
}

/** Types and their records in memory: schemas at once, records of a type when first asked for. */
export class FlexRecords {
  readonly #parts: FlexRecordsParts;
  readonly #types: FlexTypes;
  readonly #loaded = new Map<string, Promise<Loaded>>();
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: FlexRecordsParts) {
    this.#parts = parts;
    this.#types = new FlexTypes(parts.files, parts.log, parts.unread);
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
   * Reads the schema files; records of a type whose schema has changed are read again when asked
   * for. The names of types that are new, changed or gone.
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

  /** Everything that cannot be used. */
  async problems(): Promise<readonly ContentProblem[]> {
    const problems = [...this.#types.problems, ...this.#parts.unread.problems()];
    for (const type of this.#types.all())
      problems.push(...(await this.#load(type)).problems.values());
    return problems;
  }

  /** Forgets the records of a type, or of all: they are read again when asked for. */
  forget(type?: string): void {
    if (type === undefined) this.#loaded.clear();
    else this.#loaded.delete(type);
  }

  /** Reads one record again; null when nothing has changed, or nothing of its type is loaded. */
  async reread(name: string, id: string): Promise<RecordChange | null> {
    const type = this.#types.get(name);
    const loading = this.#loaded.get(name);
    if (type === undefined || loading === undefined) return null;
    const loaded = await loading;
    const file = this.#parts.files.record(name, id);
    if (file !== null && this.#isUnread(name, file)) return null;
    this.#parts.unread.clear(flexPath(name, id));
    if (file !== null && isTakenOver(loaded, file)) return null;
    const read = file === null ? null : await this.#parse(type, file);
    return replaceRecord(loaded, { type, id, file, read });
  }

  /** Records in memory whose files were changed or deleted. */
  async changed(): Promise<readonly { type: string; id: string }[]> {
    const changed: { type: string; id: string }[] = [];
    for (const [type, loading] of [...this.#loaded]) {
      const ids = await this.#changedIds(type, await loading).catch((error: unknown) => {
        this.#parts.unread.note(flexPath(type), String(error));
        return [];
      });
      changed.push(...ids.map((id) => ({ type, id })));
    }
    return changed;
  }

  /** Records whose files are others now, or gone. */
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

  /** Notes a file that cannot be read: what is known of its record stays. */
  #isUnread(type: string, { name, problem, isUnreadable }: FlexFile): boolean {
    if (isUnreadable === true) this.#parts.unread.note(flexPath(type, name), problem ?? "");
    return isUnreadable === true;
  }

  /** Keeps what is loaded for the next start; one run after the other. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      for (const [name, loading] of [...this.#loaded]) {
        const type = this.#types.get(name);
        const loaded = await loading.catch(() => null);
        if (type !== undefined && loaded !== null) await this.#saveOne(type, loaded);
      }
    });
    return this.#saving;
  }

  async #saveOne(type: FlexType, loaded: Loaded): Promise<void> {
    // Few records are read in no time.
    if (!loaded.isChanged || loaded.stamps.size < LEAST_KEPT) return;
    loaded.isChanged = false;
    // File times are the system's, whatever the clock of the site says.
    await this.#parts.snapshots.save(type, keptRecords(loaded), Date.now());
  }

  #load(type: FlexType): Promise<Loaded> {
    const known = this.#loaded.get(type.name);
    if (known !== undefined) return known;
    const loading = this.#read(type);
    this.#loaded.set(type.name, loading);
    // A failure is not kept: the next one who asks reads again.
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
    const kept = await this.#parts.snapshots.load(type);
    const loaded = emptyLoaded(type);
    const isKnown = (id: string, stamp: FileStamp) => isSameStamp(kept.get(id)?.stamp, stamp);
    for await (const file of this.#parts.files.records(type.name, isKnown)) {
      const isUnread = this.#isUnread(type.name, file);
      const known = file.isKnown === true || isUnread ? kept.get(file.name) : undefined;
      if (isUnread) {
        if (known !== undefined) keepRecord(loaded, file.name, known);
        continue;
      }
      const read = known?.stored ?? (await this.#parse(type, file));
      setRecord(loaded, { type, id: file.name, file, read });
    }
    this.#parts.unread.clear(flexPath(type.name));
    loaded.isChanged = [...loaded.stamps].some(([id, stamp]) => !isKnown(id, stamp));
    loaded.isChanged ||= loaded.stamps.size !== kept.size;
    loaded.list = new RecordList(type, loaded.records);
    for (const { sourcePath, message } of loaded.problems.values()) {
      this.#parts.log.warn("flex.record-problem", { file: sourcePath, message });
    }
    return loaded;
  }

  async #parse(type: FlexType, file: FlexFile): Promise<StoredRecord | FileProblem> {
    if (file.problem !== null) return { code: "ERR_FLEX_YAML", message: file.problem };
    const yaml = readYamlMap(file.text);
    if (!yaml.ok) return { code: "ERR_FLEX_YAML", message: yaml.message, line: yaml.line };
    try {
      const isOld = versionOf(yaml.value) < type.version;
      const source = isOld ? await this.#parts.migrations.migrate(type, yaml.value) : yaml.value;
      const place = {
        type,
        id: file.name,
        hash: hashOf(file.text),
        fallbackTime: Math.floor(file.mtimeMs),
      };
      const stored = toStoredRecord(source, place);
      if (source === yaml.value || isProblem(stored)) return stored;
      this.#parts.onMigrated(type.name, file.name);
      return { ...stored, isMigrated: true };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { code: "ERR_FLEX_MIGRATION", message };
    }
  }
}
