import type { FlexChange, FlexChangeResult, FlexFieldError, FlexType } from "./contract.js";
import {
  formatRecord,
  hashOf,
  isProblem,
  toStoredRecord,
  type RecordSource,
} from "./record-file.js";
import { checkRecord } from "./validate.js";

/** What a change makes of a record's file. */
export interface Verdict {
  /** The file's text; null: there is none, or the change is refused. */
  readonly text: string | null;
  readonly result: FlexChangeResult;
}
/** Which record is written, on what, and when. */
export interface WritePlace {
  readonly type: FlexType;
  readonly id: string;
  /** The record's file as it stands, in the version of its type; `{}` for a new one. */
  readonly before: RecordSource;
  /** Unix ms. */
  readonly now: number;
  /** False: the change may not show the record. */
  readonly mayPublish: boolean;
}

/** The record that a change leaves, if its values fit the type. */
export function changedRecord(
  change: Exclude<FlexChange, { op: "delete" }>,
  { type, id, before, now, mayPublish }: WritePlace,
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

/** True for the data of a record that visitors see. */
export function isShown(type: FlexType, source: RecordSource): boolean {
  return source["published"] !== false && checkRecord(type, source).errors.length === 0;
}

/** The result of a change that cannot be made. */
export function refused(
  change: FlexChange,
  id: string,
  [code, message]: readonly [code: string, message: string],
): FlexChangeResult {
  return failed(change, id, { code, errors: [{ field: "", code, message }] });
}

function invalid(
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

/** What was given, without meta keys: those are the server's. */
function ownFields(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith("_")));
}

/** What stands in a file beside the type's fields survives a change. */
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
