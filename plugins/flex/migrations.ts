import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, type Modules, SiteError } from "#kernel";
import type { FlexType, FlexMigrationOptions, FlexMigrationReport } from "./contract.js";
import {
  readVersion,
  type RecordSource,
  readSource,
  editedRecord,
  checkRecord,
} from "./records/record-file.js";
import type { ApplyChanges } from "./apply-changes.js";
import type { FlexFiles } from "./records/flex-files.js";

const FILE = /^\d+-[\w-]+\.(?:ts|js|mjs)$/;

/** One step between two versions of a type's schema: what a file in `migrations/{type}/` exports. */
export interface Migration {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** The record's fields in the next version. */
  up(record: Record<string, unknown>): unknown;
}

/** The migrations of a site's types, loaded when a record needs them. */
export class Migrations {
  readonly #folder: string;
  readonly #modules: Pick<Modules, "load">;
  readonly #loaded = new Map<string, Promise<readonly Migration[]>>();

  /** `folder`: absolute path of `migrations/`. */
  constructor(folder: string, modules: Pick<Modules, "load">) {
    this.#folder = folder;
    this.#modules = modules;
  }

  /**
   * A record in the version of its type; the same object when no step applies.
   * @throws ERR_FLEX_MIGRATION naming the file.
   */
  async migrate(type: FlexType, source: RecordSource): Promise<RecordSource> {
    const version = readVersion(source);
    if (version >= type.version) return source;
    const steps = await this.steps(type.name);
    const state = { version, record: source };
    for (;;) {
      const step = steps.find(({ from, to }) => from === state.version && to <= type.version);
      if (step === undefined) break;
      state.record = await applyStep(step, state.record);
      state.version = step.to;
    }
    if (state.version === version) return source;
    return { ...state.record, _schemaVersion: state.version };
  }

  /** The steps of a type, in the order of their files. */
  steps(type: string): Promise<readonly Migration[]> {
    const cached = this.#loaded.get(type);
    if (cached !== undefined) return cached;
    const loading = this.#load(type);
    this.#loaded.set(type, loading);
    loading.catch(() => this.#loaded.delete(type));
    return loading;
  }

  /** Reads the files again when they are next needed. */
  invalidate(): void {
    this.#loaded.clear();
  }

  async #load(type: string): Promise<readonly Migration[]> {
    const folder = join(this.#folder, type);
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => FILE.test(name)).sort();
    const steps: Migration[] = [];
    for (const name of files) {
      const file = `migrations/${type}/${name}`;
      const exports = await this.#modules.load(join(folder, name)).catch((error: unknown) => {
        throw failure(file, error);
      });
      steps.push(toMigration(file, exports));
    }
    return steps;
  }
}

async function applyStep(step: Migration, record: RecordSource): Promise<RecordSource> {
  try {
    // Pass a copy, so that a failing step does not change the record.
    const next: unknown = await step.up(structuredClone({ ...record }));
    if (!isRecord(next)) throw new TypeError("up() returned no record");
    const { _id, _createdAt, _updatedAt } = record;
    return { ...next, _id, _createdAt, _updatedAt };
  } catch (error) {
    throw failure(step.file, error);
  }
}

function toMigration(file: string, exports: Record<string, unknown>): Migration {
  const inner = exports["default"];
  const { from, to, up } = isRecord(inner) ? inner : exports;
  const isStep = typeof from === "number" && typeof to === "number" && to > from;
  if (!isStep || typeof up !== "function") {
    throw failure(
      file,
      new TypeError("expected exports from, to (numbers, to above from) and up(record)"),
    );
  }
  return { file, from, to, up: (record) => Reflect.apply(up, undefined, [record]) };
}

function failure(file: string, error: unknown): SiteError {
  const message = error instanceof Error ? error.message : String(error);
  return new SiteError("ERR_FLEX_MIGRATION", `${file}: ${message}`, {
    cause: error,
    fix: "correct the migration and run migrate:flex",
  });
}

/** Dependencies of a migration. */
interface MigrationDependencies {
  readonly files: FlexFiles;
  readonly migrations: Migrations;
  readonly changes: ApplyChanges;
}

/** The file of a record in its type's version. */
interface MigratedFile {
  /** Null when unchanged. */
  readonly text: string | null;
  /** The version of the file. */
  readonly from: number;
  /** The version that its migrations lead to. */
  readonly to: number;
}

/** Migrates the text of a record's file. */
export async function migrateText(
  migrations: Migrations,
  type: FlexType,
  text: string,
): Promise<MigratedFile> {
  const yaml = readSource(text, type);
  if (!yaml.ok) throw new TypeError(yaml.message);
  const next = await migrations.migrate(type, yaml.value);
  const versions = { from: readVersion(yaml.value), to: readVersion(next) };
  if (next === yaml.value) return { text: null, ...versions };
  const [error] = checkRecord(type, next).errors;
  if (error !== undefined) throw new TypeError(error.message);
  return { text: editedRecord(text, yaml.value, next), ...versions };
}

/** Migrates every record of a type; failed records are unchanged and reported. */
export async function migrateType(
  parts: MigrationDependencies,
  type: FlexType,
  options: FlexMigrationOptions,
): Promise<FlexMigrationReport> {
  const ids: string[] = [];
  for await (const { name } of parts.files.records(type.name)) ids.push(name);
  const done = {
    migrated: 0,
    from: type.version,
    failed: new Array<{ id: string; message: string }>(),
  };
  for (const [index, id] of ids.entries()) {
    try {
      const before = await migrateRecord(parts, type, id, options.dryRun);
      if (before !== null) done.migrated += 1;
      done.from = Math.min(done.from, before ?? type.version);
    } catch (error) {
      done.failed.push({ id, message: error instanceof Error ? error.message : String(error) });
    }
    options.onRecord?.(index + 1, ids.length);
  }
  const { migrated, failed, from } = done;
  const current = ids.length - migrated - failed.length;
  return {
    type: type.name,
    records: ids.length,
    migrated,
    current,
    failed,
    from,
    to: type.version,
  };
}

/** The version before the migration; null when there was nothing to migrate. */
async function migrateRecord(
  { changes, migrations, files }: MigrationDependencies,
  type: FlexType,
  id: string,
  isDryRun: boolean,
): Promise<number | null> {
  const seen: { before: number | null } = { before: null };
  const next = async (text: string): Promise<string | null> => {
    const migrated = await migrateText(migrations, type, text);
    if (migrated.to < type.version) {
      throw new TypeError(
        `no migration leads from version ${migrated.to} to ${type.version}: add one, or name _schemaVersion: ${type.version} in a record that needs none`,
      );
    }
    if (migrated.text !== null) seen.before = migrated.from;
    return isDryRun ? null : migrated.text;
  };
  if (isDryRun) await next(files.record(type.name, id)?.text ?? "");
  else await changes.rewrite(type.name, id, next);
  return seen.before;
}
