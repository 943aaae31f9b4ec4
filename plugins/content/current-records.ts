/** What files say now; one that stands as it did is not read. */
import { statSync } from "node:fs";
import { SourceReader } from "./read-source.js";
import type { SourceRecord } from "./source-record.js";
import type { FoundFile } from "./walk.js";

/** Records from before, and how far they are trusted. */
export interface TrustedRecords {
  records: ReadonlyMap<string, SourceRecord>;
  /** `file`: time and size decide; `hash`: the bytes decide, so every file is read. */
  check: "file" | "hash";
  /** Files written after this moment (Unix ms) are read in any case: their time may stand still. */
  before: number;
}

/** Records of files, one after the other. */
export class CurrentRecords {
  readonly #trusted: TrustedRecords | null;
  readonly #reader = new SourceReader();

  /** `trusted`: null reads every file. */
  constructor(trusted: TrustedRecords | null) {
    this.#trusted = trusted;
  }

  /**
   * What a file says now; null when it is gone. Where nothing is different it is the record from
   * before, so that what was made of it stays, too.
   */
  of({ sourcePath, file }: FoundFile): SourceRecord | null {
    const before = this.#trusted?.records.get(sourcePath);
    if (before !== undefined && this.#isUntouched(file, before)) return before;
    const now = this.#reader.read(sourcePath, file);
    return before !== undefined && isSame(before, now) ? before : now;
  }

  #isUntouched(file: string, { mtimeMs, size }: SourceRecord): boolean {
    if (this.#trusted?.check !== "file") return false;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.mtimeMs >= this.#trusted.before) return false;
    return stats.mtimeMs === mtimeMs && stats.size === size;
  }
}

function isSame(before: SourceRecord, now: SourceRecord | null): boolean {
  return before.hash !== "" && before.hash === now?.hash && before.mtimeMs === now.mtimeMs;
}
