/** The last generation on disk, so that startup processes only what has changed since. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { atomicWrite, isRecord, type Logger } from "#kernel";
import { readPackage } from "#lib/packages";
import { runInSlices, START_SLICE_MS } from "#lib/concurrency";
import type { CachedFolder, CachedFolders } from "../read/walk.js";
import type { SourceRecord } from "../read/source-record.js";
import type { SourceIssue } from "../read/front-matter/front-matter.js";
import { ContentIndex } from "./content-index.js";
import { LayeredMap } from "./layered-map.js";
import { buildLookups } from "./lookups.js";
import { Orders } from "./orders.js";
import {
  type IndexedPage,
  joinEntry,
  ownFields,
  type OwnFields,
  type TreePosition,
} from "./page-entry.js";

/** A generation, its folders, and the time it was written. */
export interface Snapshot {
  index: ContentIndex;
  folders: CachedFolders;
  /** Unix ms. */
  writtenAt: number;
}

// Increase it whenever the same bytes would result in another record or page.
const FORMAT = 9;
// Processing a line blocks requests for about half a millisecond.
const ROWS_PER_LINE = 50;

const problem = z.object({
  sourcePath: z.string(),
  severity: z.enum(["error", "warning"]),
  code: z.string(),
  message: z.string(),
  line: z.number().exactOptional(),
  key: z.string().exactOptional(),
  isInRoot: z.literal(true).exactOptional(),
});
const header = z.object({
  identity: z.string(),
  rows: z.number(),
  writtenAt: z.number(),
  fileProblems: z.array(problem),
  treeProblems: z.array(problem),
});

/** Absolute path of the snapshot in the cache folder. */
export function snapshotPath(cacheFolder: string): string {
  return join(cacheFolder, "content-index.ndjson");
}

/** Reads a snapshot; null when it is missing, damaged, or of another format or other rules. */
export async function readSnapshot(file: string, stamp: string): Promise<Snapshot | null> {
  try {
    const lines = parseLines(await readFile(file));
    const headerLine = header.parse(nextLine(lines));
    if (headerLine.identity !== snapshotIdentity(stamp)) return null;
    const folders = parseFolders(nextLine(lines));
    const records = new Map<string, SourceRecord>();
    const pages: IndexedPage[] = [];
    for (const line of lines) {
      for (const row of parseRows(line)) {
        records.set(row.record.sourcePath, row.record);
        if (row.page !== null) pages.push(restorePage(row.record, row.page));
      }
      await nextTurn();
    }
    if (records.size !== headerLine.rows) return null;
    const index = await restoreIndex(pages, records, headerLine);
    return { index, folders, writtenAt: headerLine.writtenAt };
  } catch (error) {
    // Ignore an unreadable cache.
    return error instanceof Error ? null : Promise.reject(error);
  }
}

/** Parses each line. The whole text is never in memory at once. */
function* parseLines(bytes: Buffer): Generator<unknown, undefined> {
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf("\n", from);
    if (end === -1) throw new Error("the last line is cut off");
    yield JSON.parse(bytes.toString("utf8", from, end));
    from = end + 1;
  }
}

function nextLine(lines: Generator<unknown, undefined>): unknown {
  return lines.next().value;
}

/** Includes the package version: another one may derive other pages from the same bytes. */
function snapshotIdentity(stamp: string): string {
  return JSON.stringify([FORMAT, readPackage().version, stamp]);
}

/** Replaces the snapshot. `stamp` identifies the rules of its index. */
export async function writeSnapshot(
  file: string,
  stamp: string,
  { index, folders, writtenAt }: Snapshot,
): Promise<void> {
  const { records, fileProblems, treeProblems } = index;
  const counts = { rows: records.size, writtenAt };
  const head = { identity: snapshotIdentity(stamp), ...counts, fileProblems, treeProblems };
  const lines = async function* (): AsyncGenerator<Buffer> {
    yield toLine(head);
    yield toLine([...folders]);
    const files = listFiles(index);
    for (let at = 0; at < files.length; at += ROWS_PER_LINE) {
      await nextTurn();
      yield toLine(files.slice(at, at + ROWS_PER_LINE).map(toRow));
    }
  };
  await atomicWrite(file, lines());
}

async function restoreIndex(
  pages: readonly IndexedPage[],
  records: ReadonlyMap<string, SourceRecord>,
  { fileProblems, treeProblems }: Pick<ContentIndex, "fileProblems" | "treeProblems">,
): Promise<ContentIndex> {
  const lookups = await runInSlices(buildLookups(pages), START_SLICE_MS);
  const orders = new Orders(lookups.entries);
  return new ContentIndex({
    id: 1,
    lookups,
    records: new LayeredMap(records),
    fileProblems,
    treeProblems,
    orders,
  });
}

/** The pages, and the other files; excludes last good versions, which are not on disk. */
function listFiles(index: ContentIndex): StoredFile[] {
  const pages = index.pages.filter(({ entry }) => !index.isLastGood(entry.sourcePath));
  const others = [...index.records].flatMap(([path, record]) =>
    index.placed.has(path) && !index.isLastGood(path) ? [] : [{ record }],
  );
  return [...pages, ...others];
}

function toLine(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

function parseFolders(list: unknown): CachedFolders {
  if (!Array.isArray(list) || !list.every(isFolder)) throw new Error("not a list of folders");
  return new Map(list);
}

function isFolder(value: unknown): value is [path: string, folder: CachedFolder] {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  const folder: unknown = value[1];
  if (typeof folder !== "object" || folder === null) return false;
  const isTimed = "time" in folder && typeof folder.time === "number";
  return isTimed && "hasOthers" in folder && typeof folder.hasOthers === "boolean";
}

function parseRows(list: unknown): SnapshotRow[] {
  if (!Array.isArray(list) || !list.every(isRow)) throw new Error("not a list of rows");
  return list;
}

/** A file that is not a page. */
interface OtherFile {
  readonly record: SourceRecord;
}
type StoredFile = IndexedPage | OtherFile;

/** A file and its page: everything needed to restore the entry. */
interface SnapshotRow {
  record: SourceRecord;
  /** Null for a file that is not a page. */
  page: StoredPage | null;
}
/** The fields of a page that are not in its record. */
interface StoredPage {
  place: TreePosition;
  own: Omit<OwnFields, "frontmatter"> & {
    /** Absent: that of the record. */
    frontmatter?: OwnFields["frontmatter"];
  };
  warnings: readonly SourceIssue[];
}

/** The row of a page, or of a file that is not a page. */
export function toRow(file: StoredFile): SnapshotRow {
  const { record } = file;
  if (!("entry" in file)) return { record, page: null };
  const { place, entry, warnings } = file;
  const { frontmatter, ...fields } = ownFields(entry);
  const isOther = frontmatter !== record.frontmatter;
  return { record, page: { place, own: { ...fields, ...(isOther && { frontmatter }) }, warnings } };
}

/** The page of a row. */
export function restorePage(
  record: SourceRecord,
  { place, own, warnings }: StoredPage,
): IndexedPage {
  const { frontmatter = record.frontmatter, ...rest } = own;
  return { record, place, entry: joinEntry(record, place, { ...rest, frontmatter }), warnings };
}

/** True for a row of `toRow`. Detects damage, not malice: only this process writes snapshots. */
export function isRow(value: unknown): value is SnapshotRow {
  if (!isRecord(value) || !isRowRecord(value["record"])) return false;
  const { page } = value;
  if (page === null) return true;
  return (
    isRecord(page) &&
    isRecord(page["place"]) &&
    isRecord(page["own"]) &&
    Array.isArray(page["warnings"])
  );
}

function isRowRecord(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value["sourcePath"] === "string" &&
    isRecord(value["frontmatter"]) &&
    "error" in value &&
    Array.isArray(value["warnings"])
  );
}

// Writes after this much quiet time, or at the latest after `MAX_WAIT_MS`. After a crash, files that the
// snapshot lacks are read again.
const QUIET_MS = 2000;
const MAX_WAIT_MS = 60_000;

/** A snapshot with the stamp of its rules. */
export interface Saved extends Snapshot {
  stamp: string;
}

/** Options of writing a snapshot. */
interface SaverOptions {
  readonly log: Logger;
  /** False: another process writes the file. Default: true. */
  savesSnapshot?(): boolean;
  /** Gets what writes a due snapshot, for workers that are about to read it. */
  shareSaving?(save: () => Promise<void>): void;
}

/** Keeps one file up to date. */
export class SnapshotSaver {
  readonly #file: string;
  readonly #options: SaverOptions;
  readonly #state: () => Saved;
  readonly #closing = new AbortController();
  /** Ends the pause before a due write. */
  #hurry = new AbortController();
  #isDue = false;
  #changedAt = 0;
  #written: Promise<void> = Promise.resolve();

  /** `state` is called when the snapshot is written. */
  constructor(file: string, options: SaverOptions, state: () => Saved) {
    this.#file = file;
    this.#options = options;
    this.#state = state;
    options.shareSaving?.(() => this.saveNow());
  }

  /** Schedules a write after a change. */
  saveLater(): void {
    this.#changedAt = performance.now();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#hurry = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#hurry.signal]);
    this.#written = this.#saveAfterPause(signal, this.#written);
  }

  /** Writes a due snapshot now; resolves when it is on the disk. */
  async saveNow(): Promise<void> {
    this.#hurry.abort();
    await this.#written;
  }

  async #saveAfterPause(signal: AbortSignal, before: Promise<void>): Promise<void> {
    const latest = performance.now() + MAX_WAIT_MS;
    const wait = (): number => Math.min(this.#changedAt + QUIET_MS, latest) - performance.now();
    // Closing ends the delay, not the write.
    for (let ms = wait(); ms > 0 && !signal.aborted; ms = wait()) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await before;
    this.#isDue = false;
    if (this.#options.savesSnapshot?.() === false) return;
    try {
      const { stamp, ...snapshot } = this.#state();
      await writeSnapshot(this.#file, stamp, snapshot);
    } catch (error) {
      this.#options.log.warn("content.snapshot_failed", { error: String(error) });
    }
  }

  /** Writes a due snapshot now. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#written;
  }
}
