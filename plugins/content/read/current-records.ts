/** Current records of files. Unchanged files are not read; unreadable files retain their record. */
import { statSync } from "node:fs";
import type { ContentProblem } from "../contract.js";
import type { FirstRead } from "./first-read.js";
import { isMissing, isUnread, readProblem, SourceReader, unreadRecord } from "./read-source.js";
import type { SourceRecord } from "./source-record.js";
import { foldersAbove } from "./source-name.js";
import type { FoundFile } from "./walk.js";

/** Earlier records, and how they are verified. */
export interface TrustedRecords {
  records: ReadonlyMap<string, SourceRecord>;
  /** `file`: compare time and size; `hash`: compare the bytes, so every file is read. */
  check: "file" | "hash";
  /** Files written after this moment (Unix ms) are always read: a second write may not change the mtime. */
  before: number;
  /** Files, or folders of files, that are always read. */
  touched?: ReadonlySet<string>;
}

/** Reads records of files, one at a time. */
export class CurrentRecords {
  /** Problems of unreadable files that retain their earlier record. */
  readonly problems: ContentProblem[] = [];
  readonly #trusted: TrustedRecords | null;
  readonly #reader: SourceReader;

  /** `trusted`: null reads every file. `firstRead` gets the bytes of each page that is read. */
  constructor(trusted: TrustedRecords | null, firstRead: FirstRead | null = null) {
    this.#trusted = trusted;
    this.#reader = new SourceReader(firstRead);
  }

  /**
   * The current record of a file; null when it was deleted. An unchanged file returns the same
   * object, so that what was derived from it stays valid.
   */
  of({ sourcePath, file }: FoundFile): SourceRecord | null {
    const before = this.#trusted?.records.get(sourcePath);
    try {
      if (before !== undefined && this.#isUntouched(file, before)) return before;
      const now = this.#reader.read(sourcePath, file);
      return before !== undefined && isSame(before, now) ? before : now;
    } catch (error) {
      if (isMissing(error)) return null;
      if (before === undefined) return unreadRecord(sourcePath, error);
      // A file that was never read reports its problem itself.
      if (!isUnread(before)) this.problems.push(readProblem(sourcePath, error));
      return before;
    }
  }

  #isUntouched(file: string, { sourcePath, mtimeMs, size }: SourceRecord): boolean {
    if (this.#trusted?.check !== "file" || this.#isTouched(sourcePath)) return false;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.mtimeMs >= this.#trusted.before) return false;
    return stats.mtimeMs === mtimeMs && stats.size === size;
  }

  #isTouched(sourcePath: string): boolean {
    const touched = this.#trusted?.touched;
    if (touched === undefined || touched.size === 0) return false;
    return touched.has(sourcePath) || foldersAbove(sourcePath).some((path) => touched.has(path));
  }
}

function isSame(before: SourceRecord, now: SourceRecord | null): boolean {
  if (now === null || before.mtimeMs !== now.mtimeMs || before.hash !== now.hash) return false;
  // Files that are too large have no hash.
  return now.hash !== "" || (before.size === now.size && before.error?.code === now.error?.code);
}
