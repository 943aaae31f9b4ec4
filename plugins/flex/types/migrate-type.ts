import { isRecord } from "#kernel";
import type { ApplyChanges } from "../write/apply-changes.js";
import type { FlexMigrationReport, FlexType } from "../contract.js";
import type { FlexFiles } from "../records/flex-files.js";
import type { Migrations } from "./migrations.js";
import { readSource } from "../records/read-record.js";
import { readYamlMap } from "../records/read-yaml.js";
import { editedRecord, versionOf } from "../records/record-file.js";
import { checkRecord } from "./validate.js";

/** Dependencies of a migration. */
export interface MigrateParts {
  readonly files: FlexFiles;
  readonly migrations: Migrations;
  readonly changes: ApplyChanges;
}

/** The text of a record's file in its type's version; null when unchanged. */
export async function migratedText(
  migrations: Migrations,
  type: FlexType,
  text: string,
): Promise<string | null> {
  const yaml = readSource(text, type);
  if (!yaml.ok) throw new TypeError(yaml.message);
  const next = await migrations.migrate(type, yaml.value);
  if (next === yaml.value) return null;
  const [error] = checkRecord(type, next).errors;
  if (error !== undefined) throw new TypeError(error.message);
  return editedRecord(text, yaml.value, next);
}

/** Migrates every record of a type; failed records are unchanged and reported. */
export async function migrateType(
  parts: MigrateParts,
  type: FlexType,
  options: { dryRun: boolean; onRecord?: (done: number, total: number) => void },
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
      const before = await migrateRecord(parts, { type, id, isDryRun: options.dryRun });
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
  { changes, migrations, files }: MigrateParts,
  { type, id, isDryRun }: { type: FlexType; id: string; isDryRun: boolean },
): Promise<number | null> {
  const seen: { before: number | null } = { before: null };
  const next = async (text: string): Promise<string | null> => {
    const migrated = await migratedText(migrations, type, text);
    const reached = textVersion(migrated ?? text);
    if (reached < type.version) {
      throw new TypeError(
        `no migration leads from version ${reached} to ${type.version}: add one, or name _schemaVersion: ${type.version} in a record that needs none`,
      );
    }
    if (migrated !== null) seen.before = textVersion(text);
    return isDryRun ? null : migrated;
  };
  if (isDryRun) await next(files.record(type.name, id)?.text ?? "");
  else await changes.rewrite(type.name, id, next);
  return seen.before;
}

function textVersion(text: string): number {
  const yaml = readYamlMap(text);
  return yaml.ok && isRecord(yaml.value) ? versionOf(yaml.value) : 0;
}
