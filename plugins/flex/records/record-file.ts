import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { editYaml, formatYaml } from "#lib/yaml";
import { sha256 } from "#lib/secrets";
import { fieldTexts, checkFields } from "#lib/fields";
import type { FieldError, Change, JournalForm, PackedChange } from "#kernel";
import type { FlexRecord, RecordState, FlexType, FlexFieldError } from "../contract.js";
import { type FileProblem, readYamlMap, type YamlResult } from "./flex-files.js";

/** A record's file as data: the meta keys and all other keys. */
export type RecordSource = Readonly<Record<string, unknown>>;

/** A valid record. */
export interface StoredRecord {
  readonly record: FlexRecord;
  /** Digest of the file's bytes. */
  readonly hash: string;
  /** False for a record whose file says `published: false`. */
  readonly isPublished: boolean;
  /** The record as JSON. */
  readonly json: string;
  /** True for a record whose file is of an older schema. */
  readonly isMigrated?: boolean;
}

/** The place of a record, with defaults for its file. */
interface RecordIdentity {
  readonly type: FlexType;
  readonly id: string;
  readonly hash: string;
  /** Used when the file has no times, Unix ms. */
  readonly fallbackTime: number;
}

/** Digest of a file's bytes. */
export function hashText(text: string): string {
  return sha256(text).slice(0, 32);
}

/** A record from its file's data; only fields of the type are shown. */
export function toStoredRecord(
  source: RecordSource,
  { type, id, hash, fallbackTime }: RecordIdentity,
): StoredRecord | FileProblem {
  const { values, errors } = checkRecord(type, source);
  if (errors.length > 0) {
    const message = errors.map((error) => error.message).join(" ");
    return { code: errors[0]?.code ?? "ERR_FLEX_INVALID", message };
  }
  const createdAt = toTime(source["_createdAt"]) ?? fallbackTime;
  const record: FlexRecord = Object.freeze({
    _id: id,
    _type: type.name,
    _createdAt: createdAt,
    _updatedAt: toTime(source["_updatedAt"]) ?? createdAt,
    ...values,
  });
  const isPublished = source["published"] !== false;
  return { record, hash, isPublished, json: JSON.stringify(record) };
}

function toTime(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0
    ? Math.floor(value)
    : null;
}

/** The schema version in a record's file; 0 without one. */
export function readVersion(source: RecordSource): number {
  const version = source["_schemaVersion"];
  return typeof version === "number" && Number.isInteger(version) && version >= 0 ? version : 0;
}

/**
 * A record's file with other values: only keys whose values differ are written.
 * @throws YamlEditError for a change that cannot be made exactly.
 */
export function editedRecord(text: string, before: RecordSource, after: RecordSource): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return editYaml(
    text,
    keys
      .filter((key) => !isDeepStrictEqual(before[key], after[key]))
      .map((key) => ({ path: [key], value: after[key] })),
  );
}

/** The file of a new record: meta keys first, then fields by name. */
export function formatRecord(source: RecordSource): string {
  const meta = ["_id", "_createdAt", "_updatedAt", "_schemaVersion"];
  const fields = Object.keys(source).filter((key) => !key.startsWith("_"));
  const keys = [...meta.filter((key) => source[key] !== undefined), ...fields.sort()];
  const ordered = keys.map((key) => [key, source[key]] as const);
  return formatYaml(Object.fromEntries(ordered));
}

/** True for an invalid record. */
export function isProblem(value: StoredRecord | FileProblem): value is FileProblem {
  return "code" in value;
}

/** A record as the change feed has it; null without one. */
export function toState(stored: RecordState | null | undefined): RecordState | null {
  return stored ? { record: stored.record, isPublished: stored.isPublished } : null;
}

/** A text of a record's file with the values that were read from it. */
export interface ReadText {
  readonly text: string;
  /** The type by whose fields it was read. */
  readonly type: FlexType;
  readonly values: RecordSource;
}

/** The values of a record's file; fields of a text kind are the texts in the file: `1.10`, not 1.1. */
export function readSource(text: string, { fields }: Pick<FlexType, "fields">): YamlResult {
  const yaml = readYamlMap(text);
  return yaml.ok ? { ...yaml, value: fieldTexts(fields, yaml.value, yaml.texts) } : yaml;
}

const CODES: Readonly<Record<FieldError["issue"], string>> = {
  required: "ERR_FLEX_REQUIRED",
  kind: "ERR_FLEX_KIND",
  option: "ERR_FLEX_OPTION",
  min: "ERR_FLEX_MIN",
  max: "ERR_FLEX_MAX",
  format: "ERR_FLEX_FORMAT",
  depth: "ERR_FLEX_DEPTH",
};

/** The coerced non-empty fields of a record, and their problems. */
export function checkRecord(
  type: FlexType,
  data: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; errors: FlexFieldError[] } {
  const { values, errors } = checkFields(type.fields, data);
  return {
    values,
    errors: errors.map(({ issue, ...error }) => ({ ...error, code: CODES[issue] })),
  };
}

const packedRecord = z.object({ isPublished: z.boolean() });
const states = z.object({ before: packedRecord.nullable(), after: packedRecord.nullable() });

/** Records in the journal of changes, which stores whether they are public. */
export const recordJournal: JournalForm = {
  pack: (change) => {
    if (change.kind !== "record") return null;
    return { before: packRecord(change.before), after: packRecord(change.after) };
  },
  unpack: unpackRecords,
};

function packRecord(state: RecordState | null): z.input<typeof packedRecord> | null {
  return state && { isPublished: state.isPublished };
}

function unpackRecords({ key, op, to, ...packed }: PackedChange): Change<"record"> | null {
  const { data } = states.safeParse(packed);
  if (data === undefined) return null;
  const before = data.before && unpackRecord(key, data.before);
  const after = data.after && unpackRecord(key, data.after);
  return { kind: "record", key, op, ...(to !== undefined && { to }), before, after };
}

function unpackRecord(key: string, { isPublished }: z.output<typeof packedRecord>): RecordState {
  const [type = "", id = ""] = key.split("/");
  return { isPublished, record: { _id: id, _type: type, _createdAt: 0, _updatedAt: 0 } };
}
