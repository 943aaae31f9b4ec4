import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { atomicWrite, type Clock, errorCode, KeyedLock } from "#kernel";
import type { FlexChange, FlexChangeResult, FlexFieldError, FlexType } from "./contract.js";
import type { FlexFiles } from "./flex-files.js";
import { isFlexName } from "./names.js";
import { readYamlMap } from "./read-yaml.js";
import {
  formatRecord,
  hashOf,
  isProblem,
  toStoredRecord,
  type RecordSource,
} from "./record-file.js";
import { checkRecord } from "./validate.js";

/** What the write path needs. */
export interface ApplyParts {
  readonly files: FlexFiles;
  readonly clock: Clock;
  type(name: string): FlexType | undefined;
  /** Runs when a record has been written or deleted, still under its lock. */
  written(change: { op: FlexChange["op"]; type: string; id: string }): Promise<void>;
}
/** A file as it stands. */
interface Current {
  readonly source: RecordSource;
  readonly hash: string;
}
interface Verdict {
  /** Null: the file goes. */
  readonly text: string | null;
  readonly result: FlexChangeResult;
}

/** The one way records are changed: one change of a record at a time, old or new and nothing between. */
export class ApplyChanges {
  readonly #parts: ApplyParts;
  readonly #locks = new KeyedLock();

  constructor(parts: ApplyParts) {
    this.#parts = parts;
  }

  /** Applies changes in their order; one that fails does not keep the others. */
  async apply(changes: readonly FlexChange[], isDryRun: boolean): Promise<FlexChangeResult[]> {
    const results: FlexChangeResult[] = [];
    for (const change of changes) results.push(await this.#applyOne(change, isDryRun));
    return results;
  }

  /** Writes a record's data as they are, under its lock: for migrations. */
  rewrite(type: string, id: string, next: (text: string) => Promise<string | null>): Promise<void> {
    return this.#locks.run(`${type}/${id}`, async () => {
      const file = this.#parts.files.record(type, id);
      const text = file === null ? null : await next(file.text);
      if (text !== null) await atomicWrite(this.#parts.files.path(type, id), text);
    });
  }

  #applyOne(change: FlexChange, isDryRun: boolean): Promise<FlexChangeResult> | FlexChangeResult {
    const type = isFlexName(change.type) ? this.#parts.type(change.type) : undefined;
    const id = change.op === "create" ? (change.id ?? newId()) : change.id;
    if (type === undefined) return refused(change, id, ["ERR_FLEX_TYPE", "Unknown type."]);
    if (!isFlexName(id)) return refused(change, id, ["ERR_FLEX_ID", "Invalid id."]);
    return this.#locks.run(`${type.name}/${id}`, () =>
      this.#underLock({ change, type, id, isDryRun }),
    );
  }

  async #underLock(work: {
    change: FlexChange;
    type: FlexType;
    id: string;
    isDryRun: boolean;
  }): Promise<FlexChangeResult> {
    const { change, type, id, isDryRun } = work;
    const { text, result } = this.#decide(change, type, id);
    if (result.status === "error" || isDryRun) return result;
    const path = this.#parts.files.path(type.name, id);
    try {
      if (text === null) await rm(path);
      else await atomicWrite(path, text);
    } catch (error) {
      // The disk's own message names paths of this machine.
      const why = errorCode(error) || "ERROR";
      return refused(change, id, ["ERR_FLEX_WRITE", `The record could not be written (${why})`]);
    }
    await this.#parts.written({ op: change.op, type: type.name, id });
    return result;
  }

  #decide(change: FlexChange, type: FlexType, id: string): Verdict {
    const current = this.#current(type.name, id);
    const refuse = (code: string, message: string): Verdict => ({
      text: null,
      result: refused(change, id, [code, message]),
    });
    if (change.op === "create") {
      if (current !== null) return refuse("ERR_FLEX_EXISTS", "A record of this id exists already.");
      return this.#write({ change, type, id }, {});
    }
    if (current === null) return refuse("ERR_FLEX_RECORD", "Record not found.");
    if (change.ifHash !== undefined && change.ifHash !== current.hash) {
      return refuse("ERR_FLEX_CONFLICT", "The record was changed meanwhile.");
    }
    if (change.op === "update") return this.#write({ change, type, id }, current.source);
    const { op } = change;
    const result = {
      op,
      type: type.name,
      id,
      status: "deleted",
      record: null,
      code: null,
      errors: [],
    } as const;
    return { text: null, result };
  }

  /** Null when there is no file; a file that is no YAML is replaced as a whole. */
  #current(type: string, id: string): Current | null {
    const file = this.#parts.files.record(type, id);
    if (file === null) return null;
    const yaml = readYamlMap(file.text);
    return { source: yaml.ok ? yaml.value : {}, hash: hashOf(file.text) };
  }

  #write(
    {
      change,
      type,
      id,
    }: { change: Exclude<FlexChange, { op: "delete" }>; type: FlexType; id: string },
    before: RecordSource,
  ): Verdict {
    const merged = { ...before, ...ownFields(change.data) };
    const { values, errors } = checkRecord(type, merged);
    if (errors.length > 0) return { text: null, result: invalid(change, id, errors) };
    const now = Math.floor(this.#parts.clock.now());
    const createdAt = typeof before["_createdAt"] === "number" ? before["_createdAt"] : now;
    const source = {
      ...(change.op === "update" ? unknownFields(type, before) : {}),
      ...values,
      ...publishedOf(merged),
      _id: id,
      _createdAt: createdAt,
      _updatedAt: now,
      ...(type.version > 0 && { _schemaVersion: type.version }),
    };
    const text = formatRecord(source);
    const stored = toStoredRecord(source, { type, id, hash: hashOf(text), fallbackTime: now });
    if (isProblem(stored))
      return { text: null, result: refused(change, id, [stored.code, stored.message]) };
    const status = change.op === "create" ? "created" : "updated";
    const { record } = stored;
    return {
      text,
      result: { op: change.op, type: type.name, id, status, record, code: null, errors: [] },
    };
  }
}

/** Twelve hex characters. */
function newId(): string {
  return randomBytes(6).toString("hex");
}

/** What was given, without meta keys: those are the server's. */
function ownFields(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith("_")));
}

/** What stands in a file beside the type's fields survives an update. */
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

function refused(
  change: FlexChange,
  id: string,
  [code, message]: readonly [string, string],
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
