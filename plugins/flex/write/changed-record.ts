import { isDeepStrictEqual } from "node:util";
import type { FlexChange, FlexChangeResult, FlexFieldError, FlexType } from "../contract.js";
import {
  formatRecord,
  hashOf,
  isProblem,
  toStoredRecord,
  type RecordSource,
} from "../records/record-file.js";
import { checkRecord } from "../types/validate.js";

/** The result of a change for a record's file. */
export interface Verdict {
  /** The file's text; null when it is deleted or the change is rejected. */
  readonly text: string | null;
  readonly result: FlexChangeResult;
}
/** The record to write, its previous state, and the time. */
export interface RecordWrite {
  readonly type: FlexType;
  readonly id: string;
  /** The record's current file, in the version of its type; `{}` for a new one. */
  readonly before: RecordSource;
  /** Unix ms. */
  readonly now: number;
  /** False: the change may not publish the record. */
  readonly mayPublish: boolean;
}

/** The record after a change, if its values fit the type. */
export function changedRecord(
  change: Exclude<FlexChange, { op: "delete" }>,
  { type, id, before, now, mayPublish }: RecordWrite,
): Verdict {
  const isHeldBack = change.op === "create" && !mayPublish;
  const hidden = isHeldBack ? { published: false } : {};
  const merged = { ...before, ...ownFields(change.data), ...hidden };
  const { values, errors } = checkRecord(type, merged);
  if (errors.length > 0) return { text: null, result: invalid(change, id, errors) };
  if (!mayPublish && merged["published"] !== false) {
    const why = "permission pages.publish is needed to show the record";
    return { text: null, result: refused(change, id, ["ERR_FLEX_AUDIENCE", why]) };
  }
  const createdAt = typeof before["_createdAt"] === "number" ? before["_createdAt"] : now;
  const source = {
    ...unknownFields(type, before),
    ...values,
    ...publishedOf(merged),
    _id: id,
    _createdAt: createdAt,
    _updatedAt: now,
    ...(type.version > 0 && { _schemaVersion: type.version }),
  };
  const text = formatRecord(source);
  const stored = toStoredRecord(source, { type, id, hash: hashOf(text), fallbackTime: now });
  if (isProblem(stored)) {
    return { text: null, result: refused(change, id, [stored.code, stored.message]) };
  }
  const status = change.op === "create" ? "created" : "updated";
  const { record } = stored;
  return {
    text,
    result: { op: change.op, type: type.name, id, status, record, code: null, errors: [] },
  };
}

/**
 * The change, if it touches only these fields; else what rejects it. A record is never deleted by parts.
 */
export function limitedTo(
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
  return failed(change, id, { code, errors: [{ field: "", code, message }] });
}

/** The result of a change with values that do not fit. */
export function invalid(
  change: FlexChange,
  id: string,
  errors: readonly FlexFieldError[],
): FlexChangeResult {
  return failed(change, id, { code: "ERR_FLEX_INVALID", errors });
}

function failed(
  { op, type }: FlexChange,
  id: string,
  { code, errors }: { code: string; errors: readonly FlexFieldError[] },
): FlexChangeResult {
  return { op, type, id: op === "create" ? "" : id, status: "error", record: null, code, errors };
}

/** The input without meta keys, which only the server sets. */
function ownFields(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith("_")));
}

/** Unknown keys of a file, which a change preserves. */
function unknownFields(type: FlexType, source: RecordSource): Record<string, unknown> {
  const known = new Set(["published", ...type.fields.map(({ name }) => name)]);
  return Object.fromEntries(
    Object.entries(source).filter(([key]) => !known.has(key) && !key.startsWith("_")),
  );
}

/** `published: false` hides a record of any type. */
function publishedOf(source: RecordSource): { published?: false } {
  return source["published"] === false ? { published: false } : {};
}
