import { isDeepStrictEqual } from "node:util";
import { initialValues, type FieldMoment } from "#lib/fields";
import type { FlexChange, FlexChangeResult, FlexFieldError, FlexType } from "./contract.js";
import {
  editedRecord,
  formatRecord,
  hashText,
  isProblem,
  type RecordSource,
  readSource,
  toStoredRecord,
  type ReadText,
  checkRecord,
} from "./records/record-file.js";

/** The result of a change for a record's file. */
export interface Verdict {
  /** The file after the change; null when it is deleted or the change is rejected. */
  readonly file: ReadText | null;
  readonly result: FlexChangeResult;
}
/** A record's file before a change. */
interface RecordFile {
  readonly text: string;
  /** Its values, in the version of its type. */
  readonly values: RecordSource;
  /** The values of the text. */
  readonly written: RecordSource;
  /** Used when the file has no times, Unix ms. */
  readonly fallbackTime: number;
}
/** The record to write, its previous state, and the time. */
interface RecordWrite {
  readonly type: FlexType;
  readonly id: string;
  /** Null for a new record. */
  readonly file: RecordFile | null;
  readonly moment: FieldMoment;
  /** False: the change may not publish the record. */
  readonly mayPublish: boolean;
}

/** A change that leaves a record. */
type FlexWrite = Exclude<FlexChange, { op: "delete" }>;

/** The record after a change, if its values fit the type. @throws YamlEditError, see `editedRecord`. */
export function changedRecord(
  change: FlexWrite,
  { type, id, file, moment, mayPublish }: RecordWrite,
): Verdict {
  const isHeldBack = change.op === "create" && !mayPublish;
  const hidden = isHeldBack ? { published: false } : {};
  const changes: RecordSource = { ...ownFields(change.data), ...hidden };
  const { now } = moment;
  const initial = file === null ? initialValues(type.fields, changes, moment) : {};
  const merged = { ...file?.values, ...changes, ...initial };
  const { values, errors } = checkRecord(type, merged);
  if (errors.length > 0) return { file: null, result: invalid(change, id, errors) };
  if (!mayPublish && merged["published"] !== false) {
    const why = "permission pages.publish is needed to show the record";
    return { file: null, result: refused(change, id, ["ERR_FLEX_AUDIENCE", why]) };
  }
  const next = { changes, values, now };
  const text = file === null ? newText(type, id, next) : changedText(type, file, next);
  const yaml = readSource(text, type);
  if (!yaml.ok) return { file: null, result: refused(change, id, ["ERR_FLEX_YAML", yaml.message]) };
  const hash = hashText(text);
  const fallbackTime = file?.fallbackTime ?? now;
  const stored = toStoredRecord(yaml.value, { type, id, hash, fallbackTime });
  if (isProblem(stored)) {
    return { file: null, result: refused(change, id, [stored.code, stored.message]) };
  }
  const status = change.op === "create" ? "created" : "updated";
  const { record } = stored;
  return {
    file: { text, type, values: yaml.value },
    result: { op: change.op, type: type.name, id, status, record, code: null, errors: [] },
  };
}

/** A record after a change. */
interface Next {
  /** The values that the change names. */
  readonly changes: RecordSource;
  /** The values of all fields. */
  readonly values: RecordSource;
  /** The time of the change, Unix ms. */
  readonly now: number;
}

function newText(type: FlexType, id: string, { changes, values, now }: Next): string {
  return formatRecord({
    ...values,
    ...(changes["published"] === false && { published: false }),
    _id: id,
    _createdAt: now,
    _updatedAt: now,
    ...(type.version > 0 && { _schemaVersion: type.version }),
  });
}

/** The file's text with the fields that differ; a change that changes nothing leaves it as it is. */
function changedText(type: FlexType, file: RecordFile, { changes, values, now }: Next): string {
  const before = checkRecord(type, file.values).values;
  const after: Record<string, unknown> = { ...file.values };
  for (const { name } of type.fields) {
    if (!Object.hasOwn(changes, name) || isDeepStrictEqual(values[name], before[name])) continue;
    // A missing value is removed.
    after[name] = values[name];
  }
  if (changes["published"] === false) after["published"] = false;
  else if (Object.hasOwn(changes, "published") && after["published"] === false) {
    after["published"] = undefined;
  }
  if (isDeepStrictEqual(after, file.written)) return file.text;
  // The time of the file was the time of creation: the change gives it another one.
  const createdAt = file.values["_createdAt"];
  after["_createdAt"] = typeof createdAt === "number" ? createdAt : file.fallbackTime;
  after["_updatedAt"] = now;
  if (type.version > 0) after["_schemaVersion"] = type.version;
  return editedRecord(file.text, file.written, after);
}

/**
 * The change, if it touches only these fields; else what rejects it. A record is never deleted by parts.
 */
export function limitProblem(
  fields: readonly string[] | null,
  change: FlexChange,
  before: RecordSource,
): readonly [code: string, message: string] | null {
  if (fields === null) return null;
  const names =
    change.op === "delete"
      ? ["the whole record"]
      : Object.entries(ownFields(change.data))
          .filter(
            ([name, value]) => !fields.includes(name) && !isDeepStrictEqual(value, before[name]),
          )
          .map(([name]) => JSON.stringify(name));
  if (names.length === 0) return null;
  const allowed = fields.join(", ");
  return ["ERR_FLEX_LIMITED", `${names[0]} may not be changed; this token may change ${allowed}`];
}

/** True for the data of a record that is public. */
export function isShown(type: FlexType, source: RecordSource): boolean {
  return source["published"] !== false && checkRecord(type, source).errors.length === 0;
}

/** The result of a rejected change. */
export function refused(
  change: FlexChange,
  id: string,
  [code, message]: readonly [code: string, message: string],
): FlexChangeResult {
  return failed(change, id, code, [{ field: "", code, message }]);
}

/** The result of a change with values that do not fit. */
export function invalid(
  change: FlexChange,
  id: string,
  errors: readonly FlexFieldError[],
): FlexChangeResult {
  return failed(change, id, "ERR_FLEX_INVALID", errors);
}

function failed(
  { op, type }: FlexChange,
  id: string,
  code: string,
  errors: readonly FlexFieldError[],
): FlexChangeResult {
  return { op, type, id: op === "create" ? "" : id, status: "error", record: null, code, errors };
}

/** The input without meta keys, which only the server sets. */
function ownFields(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith("_")));
}
