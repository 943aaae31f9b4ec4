import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { HttpError, isRecord } from "#kernel";
import { errorCode, isMissing } from "#lib/errors";
import { realInside } from "#lib/files";
import { readYaml } from "#lib/yaml";
import type { ContentProblem } from "../../content/contract.js";

/** Files to read before yielding to other work. */
const SLICE = 100;

/** Maximum file size, in bytes. */
const MAX_FILE_BYTES = 1_000_000;

/** Identifies a state of a file. */
export interface FileStamp {
  /** Unix ms. */
  readonly mtimeMs: number;
  /** Bytes. */
  readonly size: number;
}

/** A file's text and state. */
export interface FlexFile extends FileStamp {
  readonly name: string;
  /** Empty for a file that is too large or unreadable: see `problem`. */
  readonly text: string;
  readonly problem: string | null;
  /** True for a file that exists but cannot be read now. */
  readonly isUnreadable?: boolean;
  /** True for an unchanged file that was not read. */
  readonly isKnown?: boolean;
}
/** A problem of a file; `line` where known. */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
  readonly line?: number;
}
/** True when the file of this name is unchanged. */
export type IsUnchanged = (name: string, stamp: FileStamp) => boolean;

/** True when both are the same state. */
export function isSameStamp(a: FileStamp | undefined, b: FileStamp): boolean {
  return a?.mtimeMs === b.mtimeMs && a.size === b.size;
}

/** Schema and record files below `flex-objects/`. */
export class FlexFiles {
  /** Absolute path of `flex-objects/`. */
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The schema files. @throws HttpError 503 when the folder cannot be listed. */
  schemas(): FlexFile[] {
    return listYaml(this.folder).flatMap((name) => readFlexFile(this.folder, name) ?? []);
  }

  /**
   * The record files of a type, in slices, so that thousands of files do not block the server.
   * Unchanged files have no text.
   * @throws HttpError 503 when the folder cannot be listed.
   */
  async *records(type: string, isKnown: IsUnchanged = () => false): AsyncGenerator<FlexFile> {
    const folder = join(this.folder, type);
    if (!isFlexName(type)) return;
    const names = listYaml(folder);
    if (names.length === 0 || (await realInside(this.folder, folder)) === null) return;
    for (const [index, name] of names.entries()) {
      if (index % SLICE === SLICE - 1) await new Promise(setImmediate);
      const file = readFlexFile(folder, name, isKnown);
      if (file !== null) yield file;
    }
  }

  /** One record file; null without one. */
  record(type: string, id: string): FlexFile | null {
    return readFlexFile(join(this.folder, type), id);
  }

  /** Absolute path of a record's file. */
  path(type: string, id: string): string {
    return join(this.folder, type, `${id}.yaml`);
  }
}

function listYaml(folder: string): string[] {
  try {
    return readdirSync(folder)
      .flatMap((file) => readFlexName(file) ?? [])
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    const headers = { "Retry-After": "1" };
    const message = "the records cannot be read at the moment";
    throw new HttpError(503, message, { code: "ERR_FLEX_READ", headers, cause: error });
  }
}

/**
 * Null for a missing file. Synchronous: for small files a promise costs five times as much as
 * reading.
 */
function readFlexFile(
  folder: string,
  name: string,
  isKnown: IsUnchanged = () => false,
): FlexFile | null {
  const path = join(folder, `${name}.yaml`);
  const file = { name, text: "", mtimeMs: 0, size: 0, problem: null };
  try {
    const stats = lstatSync(path);
    const { mtimeMs, size } = stats;
    const state = { ...file, mtimeMs, size };
    if (!stats.isFile()) return { ...state, problem: "not a plain file" };
    if (size > MAX_FILE_BYTES) return { ...state, problem: `larger than ${MAX_FILE_BYTES} bytes` };
    if (isKnown(name, { mtimeMs, size })) return { ...state, isKnown: true };
    return { ...state, text: readFileSync(path, "utf8") };
  } catch (error) {
    if (isMissing(error)) return null;
    // The system's message contains paths of this machine.
    return { ...file, problem: `cannot be read (${errorCode(error)})`, isUnreadable: true };
  }
}

/** The problem as reported by `content:check`. */
export function toProblem(
  sourcePath: string,
  { code, message, line }: FileProblem,
): ContentProblem {
  return { sourcePath, severity: "error", code, message, ...(line !== undefined && { line }) };
}

/** Names of types and ids of records: safe as parts of a path and of an address. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** True for a valid name of a type or id of a record. */
export function isFlexName(name: string): boolean {
  return NAME.test(name);
}

/** The stem of a YAML file's name when it is valid, else null. */
export function readFlexName(fileName: string): string | null {
  const stem = fileName.endsWith(".yaml") ? fileName.slice(0, -".yaml".length) : "";
  return isFlexName(stem) ? stem : null;
}

/** A map of a YAML file, or an error. */
export type YamlResult =
  | {
      readonly ok: true;
      readonly value: Readonly<Record<string, unknown>>;
      /** The same with numbers and booleans as they are written. */
      readonly texts: unknown;
      /** The line of the key at a path, or of the nearest one above. */
      lineOf(path: readonly (string | number)[]): number;
    }
  | { readonly ok: false; readonly message: string; readonly line: number };

/** Maximum file size, in characters. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Reads a map from YAML: core schema, unique keys, no tags of its own. Never throws. */
export function readYamlMap(text: string): YamlResult {
  if (text.length > MAX_TEXT_LENGTH) return failed(`longer than ${MAX_TEXT_LENGTH} characters`);
  const document = readYaml(text, { rejectsTags: true });
  const { mistake, values: value } = document;
  if (mistake !== null) return failed(`${mistake.message}; ${mistake.fix}`, mistake.line);
  if (!isRecord(value)) return failed("not a map of keys to values");
  return { ok: true, value, texts: document.texts, lineOf: (path) => document.lineOf(path) };
}

function failed(message: string, line = 1): YamlResult {
  return { ok: false, message, line };
}
