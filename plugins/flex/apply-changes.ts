import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { YamlEditError } from "#lib/yaml";
import { atomicWrite, type Clock, KeyedLock, SiteError, type WriteLock } from "#kernel";
import { errorCode } from "#lib/errors";
import { recordInStep } from "#lib/files";
import type { WriteRights } from "../content/contract.js";
import {
  changedRecord,
  invalid,
  isShown,
  limitProblem,
  refused,
  type Verdict,
} from "./changed-record.js";
import type {
  FlexApplyOptions,
  FlexChange,
  FlexChangeResult,
  RecordState,
  FlexType,
} from "./contract.js";
import { type FlexFile, type FlexFiles, isFlexName } from "./records/flex-files.js";
import type { MissingRelations } from "./flex-types.js";
import { readSource, hashText, type ReadText, type RecordSource } from "./records/record-file.js";

/** Dependencies of the write path. */
interface ApplyDependencies {
  readonly files: FlexFiles;
  readonly clock: Clock;
  /** IANA name of the time zone of the site. */
  readonly timezone: string;
  readonly writeLock?: () => WriteLock;
  readonly missing?: MissingRelations | undefined;
  type(name: string): FlexType | undefined;
  /** A record in the version of its type. @throws an error that names the failed migration */
  migrated(type: FlexType, source: RecordSource): Promise<RecordSource>;
  /** The record before a change, as it is served; null without one. */
  stored(type: string, id: string): Promise<RecordState | null>;
  /** Called after a record was written or deleted, while its lock is guarded; `file`: the written one. */
  written(change: WrittenRecord, file: ReadText | null): Promise<void>;
}
/** A record that was written or deleted. */
export interface WrittenRecord extends Pick<FlexApplyOptions, "actor" | "message"> {
  readonly op: FlexChange["op"];
  readonly type: string;
  readonly id: string;
  readonly before: RecordState | null;
}
/** The current state of a file. */
interface Current {
  readonly text: string;
  readonly source: RecordSource;
  readonly hash: string;
  /** Unix ms. */
  readonly mtimeMs: number;
  /** Says why the file cannot be changed (it cannot be read, or its text is not a map); null when it can. */
  readonly fault: {
    readonly code: "ERR_FLEX_WRITE" | "ERR_FLEX_YAML";
    readonly why: string;
  } | null;
}
/** A running change; it holds the lock of its record. */
interface Work {
  readonly change: FlexChange;
  readonly type: FlexType;
  readonly id: string;
  readonly rights: WriteRights | undefined;
  readonly by: Pick<FlexApplyOptions, "actor" | "message">;
}

/** The write path of records: changes of a record run one at a time and are atomic. */
export class ApplyChanges {
  readonly #parts: ApplyDependencies;
  readonly #locks = new KeyedLock();

  constructor(parts: ApplyDependencies) {
    this.#parts = parts;
  }

  /** Applies changes in order; a failed change does not stop the others. @throws the lock's 503. */
  async apply(
    changes: readonly FlexChange[],
    options: FlexApplyOptions = {},
  ): Promise<FlexChangeResult[]> {
    const results: FlexChangeResult[] = [];
    for (const change of changes) results.push(await this.#applyOne(change, options));
    return results;
  }

  /** Writes a record's data unchanged, under its lock: for migrations. */
  rewrite(type: string, id: string, next: (text: string) => Promise<string | null>): Promise<void> {
    return this.#exclusively(`${type}/${id}`, async (assertHeld) => {
      const file = this.#parts.files.record(type, id);
      if (file !== null && file.problem !== null) throw new TypeError(file.problem);
      const text = file === null ? null : await next(file.text);
      assertHeld();
      if (text !== null) {
        await atomicWrite(this.#parts.files.path(type, id), text, { access: "shared" });
      }
    });
  }

  /** Runs work while no process changes the record. */
  #exclusively<T>(key: string, work: (assertHeld: () => void) => Promise<T>): Promise<T> {
    const lock = this.#parts.writeLock?.();
    if (lock === undefined) return this.#locks.run(key, () => work(() => undefined));
    return lock.run((assertHeld) => this.#locks.run(key, () => work(assertHeld)));
  }

  /** Runs work while the record is not being changed. */
  inTurn(type: string, id: string, work: () => Promise<void>): Promise<void> {
    return this.#locks.run(`${type}/${id}`, work);
  }

  #applyOne(
    change: FlexChange,
    { dryRun = false, rights, ...by }: FlexApplyOptions,
  ): Promise<FlexChangeResult> | FlexChangeResult {
    const type = isFlexName(change.type) ? this.#parts.type(change.type) : undefined;
    const id = change.op === "create" ? (change.id ?? randomBytes(6).toString("hex")) : change.id;
    if (type === undefined) return refused(change, id, ["ERR_FLEX_TYPE", "Unknown type."]);
    if (!isFlexName(id)) return refused(change, id, ["ERR_FLEX_ID", "Invalid id."]);
    const key = `${type.name}/${id}`;
    const refusal = rights?.refuse("record", null, null) ?? null;
    if (refusal !== null) return refused(change, id, ["ERR_FLEX_FORBIDDEN", refusal]);
    const work = { change, type, id, rights, by };
    if (dryRun) {
      return this.#locks.run(key, async () => {
        const file = this.#parts.files.record(type.name, id);
        return (await this.#decide(work, file)).result;
      });
    }
    return this.#exclusively(key, (assertHeld) => this.#underLock(work, assertHeld));
  }

  async #underLock(work: Work, assertHeld: () => void): Promise<FlexChangeResult> {
    const { change, type, id, by } = work;
    const read = this.#parts.files.record(type.name, id);
    const { file, result } = await this.#decide(work, read);
    if (result.status === "error") return result;
    const path = this.#parts.files.path(type.name, id);
    const before = await this.#parts.stored(type.name, id);
    assertHeld();
    // An editor or another program may have saved the file while the change was checked.
    if (this.#parts.files.record(type.name, id)?.text !== read?.text) {
      const message = "The record was changed by another program at the same moment.";
      return refused(change, id, ["ERR_FLEX_CONFLICT", message]);
    }
    try {
      const bytes = file?.text;
      await recordInStep([
        bytes === undefined ? { op: "remove", path } : { op: "write", path, bytes },
      ]);
      if (file === null) await rm(path);
      else await atomicWrite(path, file.text, { access: "shared" });
    } catch (error) {
      // The system's message contains paths of this machine.
      const systemCode = errorCode(error) || "ERROR";
      const result = refused(change, id, [
        "ERR_FLEX_WRITE",
        `The record could not be written (${systemCode})`,
      ]);
      return { ...result, systemCode };
    }
    await this.#parts.written({ ...by, op: change.op, type: type.name, id, before }, file);
    return result;
  }

  #decide(work: Work, file: FlexFile | null): Promise<Verdict> | Verdict {
    const { change, type, id, rights } = work;
    const current = file === null ? null : readCurrent(file, type);
    const limit = limitProblem(rights?.fields ?? null, change, current?.source ?? {});
    if (limit !== null) return { file: null, result: refused(change, id, limit) };
    return this.#verdictOn(work, current);
  }

  async #verdictOn({ change, type, id, rights }: Work, current: Current | null): Promise<Verdict> {
    const refuse = (code: string, message: string): Verdict => ({
      file: null,
      result: refused(change, id, [code, message]),
    });
    const moment = {
      now: Math.floor(this.#parts.clock.now()),
      timezone: this.#parts.timezone,
    };
    const mayPublish = (rights?.refuse("publish", null, null) ?? null) === null;
    if (change.op === "create") {
      if (current !== null) return refuse("ERR_FLEX_EXISTS", "A record of this id exists already.");
      const verdict = changedRecord(change, { type, id, file: null, moment, mayPublish });
      return await this.#related(verdict, { change, type }, null);
    }
    if (current === null) return refuse("ERR_FLEX_RECORD", "Record not found.");
    if (change.ifHash !== undefined && change.ifHash !== current.hash) {
      return refuse("ERR_FLEX_CONFLICT", "The record was changed meanwhile.");
    }
    if (change.op === "delete") return { file: null, result: deleted(type, id) };
    const { fault } = current;
    if (fault !== null) {
      const message = `flex-objects/${type.name}/${id}.yaml stays as it is: ${fault.why}`;
      return refuse(fault.code, message);
    }
    try {
      const before = await this.#parts.migrated(type, current.source);
      // A public record may stay public.
      const isAllowed = mayPublish || isShown(type, before);
      const file = {
        text: current.text,
        values: before,
        written: current.source,
        fallbackTime: Math.floor(current.mtimeMs),
      };
      const verdict = changedRecord(change, { type, id, file, moment, mayPublish: isAllowed });
      return await this.#related(verdict, { change, type }, before);
    } catch (error) {
      if (error instanceof YamlEditError) {
        return refuse("ERR_FLEX_YAML", `flex-objects/${type.name}/${id}.yaml: ${error.message}`);
      }
      if (!(error instanceof SiteError)) throw error;
      return refuse(error.code, error.message);
    }
  }

  /** The verdict, or a rejection when the record names something that does not exist. */
  async #related(
    verdict: Verdict,
    { change, type }: Pick<Work, "change" | "type">,
    before: RecordSource | null,
  ): Promise<Verdict> {
    const { record } = verdict.result;
    if (record === null) return verdict;
    const errors = (await this.#parts.missing?.(type, record, before)) ?? [];
    if (errors.length === 0) return verdict;
    return { file: null, result: invalid(change, record._id, errors) };
  }
}

function readCurrent(file: FlexFile, type: FlexType): Current {
  const { text, mtimeMs } = file;
  const yaml = readSource(text, type);
  const source = yaml.ok ? yaml.value : {};
  const why = file.problem ?? (yaml.ok ? null : `line ${yaml.line}: ${yaml.message}`);
  const code = file.isUnreadable === true ? "ERR_FLEX_WRITE" : "ERR_FLEX_YAML";
  const fault = why === null ? null : ({ code, why } as const);
  return { text, source, hash: hashText(text), mtimeMs, fault };
}

function deleted({ name: type }: FlexType, id: string): FlexChangeResult {
  return { op: "delete", type, id, status: "deleted", record: null, code: null, errors: [] };
}
