/** Builds the index of a commit. */
import { runInSlices, type Sliced } from "#kernel/internal";
import { buildIndex } from "../index/build-index.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import {
  folderIssue,
  folderOf,
  isIgnoredName,
  nameOf,
  parseFileName,
} from "../read/source-name.js";
import {
  MAX_PAGE_BYTES,
  toOversizeRecord,
  toSourceRecord,
  type SourceRecord,
} from "../read/source-record.js";
import { batchesOf } from "./blob-reader.js";
import type { Commit, CommitFile, ContentCommits } from "./content-commits.js";
import { momentError } from "./moment-errors.js";

/** Maximum pages of a commit, and their bytes. */
const MAX_PAGES = 20_000;
const MAX_BYTES = 128 * 1_048_576;

/** The index of the pages among the files of a commit. @throws ERR_CONTENT_MOMENT_SIZE (422). */
export async function readCommit(
  commit: Commit,
  files: readonly CommitFile[],
  { commits, rules }: { commits: ContentCommits; rules: ContentRules },
): Promise<ContentIndex> {
  const pages = files.filter(({ path }) => isPage(path, rules));
  assertSize(pages);
  const records = new Map<string, SourceRecord>();
  const read = pages.filter(({ size }) => size <= MAX_PAGE_BYTES);
  for (const batch of batchesOf(read, ({ size }) => size)) {
    const bytes = await commits.bytes(batch);
    await runInSlices(addRecords(records, { batch, bytes, mtimeMs: commit.at }));
  }
  for (const { path: sourcePath, size } of pages) {
    if (size <= MAX_PAGE_BYTES) continue;
    records.set(sourcePath, toOversizeRecord({ sourcePath, size, mtimeMs: commit.at }));
  }
  return runInSlices(buildIndex({ records, treeProblems: [], rules, previous: null }));
}

/** True for a file that the walk of the content folder takes as a page. */
function isPage(path: string, rules: ContentRules): boolean {
  if (parseFileName(nameOf(path), rules) === null || rules.isReserved(path)) return false;
  return folderIssue(folderOf(path)) === null && !path.split("/").some(isIgnoredName);
}

function assertSize(pages: readonly CommitFile[]): void {
  const bytes = pages.reduce((sum, { size }) => sum + size, 0);
  if (pages.length <= MAX_PAGES && bytes <= MAX_BYTES) return;
  const message = `the commit has ${pages.length} pages of ${bytes} bytes, at most ${MAX_PAGES} pages of ${MAX_BYTES} bytes are shown`;
  throw momentError(422, message, "check the commit out and start a site on it");
}

function* addRecords(
  records: Map<string, SourceRecord>,
  { batch, bytes, mtimeMs }: { batch: CommitFile[]; bytes: Buffer[]; mtimeMs: number },
): Sliced<void> {
  for (const [at, { path: sourcePath }] of batch.entries()) {
    const own = bytes[at] ?? Buffer.alloc(0);
    records.set(sourcePath, toSourceRecord({ sourcePath, size: own.length, mtimeMs }, own));
    yield;
  }
}
