import { createReadStream } from "node:fs";
import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "#lib/errors";
import { FileLock, makeFolder, PRIVATE_FILE } from "#lib/files";
import type { KeyedLock } from "#lib/concurrency";
import { isRecord, parseJson } from "#lib/values";
import type { LogDefinition, LogMatch, RecordLog, Stored } from "../contract.js";

const CHUNK_BYTES = 262_144;

/** JSON lines in files that share the configured size; several processes of one root may append. */
export class LogFiles<T> implements RecordLog<T> {
  readonly #definition: LogDefinition<T>;
  /** Absolute, the newest first. */
  readonly #files: readonly string[];
  readonly #file: string;
  readonly #rotation: FileLock;
  readonly #turns: KeyedLock;

  constructor(folder: string, definition: LogDefinition<T>, turns: KeyedLock) {
    this.#definition = definition;
    this.#files = definition.files.map((name) => join(folder, name));
    this.#file = this.#files[0] ?? "";
    this.#turns = turns;
    this.#rotation = new FileLock(`${this.#file}.lock`, {
      code: "ERR_RECORDS_LOCKED",
      message: `another process is rotating the log ${definition.name}`,
      fix: "try again",
    });
  }

  append(values: readonly T[]): Promise<void> {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
    return this.#turns.run(this.#file, () => this.#append(lines));
  }

  async list({ limit, offset, match = {} }: { limit: number; offset: number; match?: LogMatch }) {
    const texts = await Promise.all(
      this.#files.map((name) => readFile(name, "utf8").catch(() => "")),
    );
    const matching = texts.flatMap((text) => this.#parse(text, match).toReversed());
    return { entries: matching.slice(offset, offset + limit), total: matching.length };
  }

  /** A cursor names a file and an offset. A log rotation starts another file. */
  async follow(cursor: string | null, take: (value: T) => void): Promise<string | null> {
    const { id, size } = await readStats(this.#file);
    const [file, offset] = cursor === null ? [id, "0"] : cursor.split(" ");
    const from = Number(offset);
    if (file !== id || from > size) return null;
    if (cursor === null) await this.#takeFormer(take);
    const end = await this.#take(this.#file, { from, to: size, take });
    return `${id} ${end}`;
  }

  async #takeFormer(take: (value: T) => void): Promise<void> {
    for (const former of this.#files.slice(1).toReversed()) {
      const { size } = await readStats(former);
      await this.#take(former, { from: 0, to: size, take });
    }
  }

  /** Streams a part of a file; resolves with the end of the last entry. */
  async #take(
    file: string,
    { from, to, take }: { from: number; to: number; take: (value: T) => void },
  ): Promise<number> {
    if (from >= to) return from;
    let rest: Buffer = Buffer.alloc(0);
    const range = { start: from, end: to - 1, highWaterMark: CHUNK_BYTES };
    for await (const chunk of createReadStream(file, range)) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      const text = Buffer.concat([rest, bytes]);
      const end = text.lastIndexOf("\n") + 1;
      for (const line of text.toString("utf8", 0, end).split("\n")) this.#takeLine(line, take);
      rest = text.subarray(end);
    }
    // Truncated by a crash, or another process is writing it.
    return this.#takeLine(rest.toString(), take) ? to : to - rest.length;
  }

  #takeLine(line: string, take: (value: T) => void): boolean {
    const value = line.startsWith("{") ? parseJson(line) : undefined;
    const parsed = value === undefined ? null : this.#definition.parse(value);
    if (parsed !== null) take(parsed);
    return parsed !== null;
  }

  #parse(text: string, match: LogMatch): Stored<T>[] {
    return text.split("\n").flatMap((line) => {
      const value = line === "" ? undefined : parseJson(line);
      if (value === undefined || !contains(value, match)) return [];
      const parsed = this.#definition.parse(value);
      return parsed === null ? [] : [{ value: parsed, node: null }];
    });
  }

  async #append(lines: string): Promise<void> {
    await makeFolder(dirname(this.#file));
    const bytes = Buffer.byteLength(lines);
    if (await this.#isFull(bytes)) await this.#rotation.run(() => this.#rotate(bytes));
    await appendFile(this.#file, lines, { mode: PRIVATE_FILE });
  }

  async #isFull(bytes: number): Promise<boolean> {
    const { size } = await readStats(this.#file);
    return size > 0 && size + bytes > this.#definition.maxBytes / this.#files.length;
  }

  /** Another process may have rotated it meanwhile. */
  async #rotate(bytes: number): Promise<void> {
    if (!(await this.#isFull(bytes))) return;
    for (let at = this.#files.length - 2; at >= 0; at -= 1) {
      const [from = "", to = ""] = this.#files.slice(at, at + 2);
      await rename(from, to).catch((error: unknown) => {
        if (errorCode(error) !== "ENOENT") throw error;
      });
    }
  }
}

function contains(value: unknown, match: LogMatch): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(match).every(([key, expected]) =>
    typeof expected === "string" ? value[key] === expected : contains(value[key], expected),
  );
}

/** Size in bytes, and what identifies the file: its number alone is used again once it is deleted. */
async function readStats(file: string): Promise<{ id: string; size: number }> {
  return stat(file).then(
    ({ ino, birthtimeMs, size }) => ({ id: `${ino}-${birthtimeMs}`, size }),
    () => ({ id: "none", size: 0 }),
  );
}
