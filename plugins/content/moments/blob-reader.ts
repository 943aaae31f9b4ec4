/** Reads files of commits for many callers: those of one turn share a git command. */
import type { CommitFile, ContentCommits } from "./content-commits.js";

/** Bytes that are read at once, unless a file is larger. */
const BATCH_BYTES = 8 * 1_048_576;

interface Waiting {
  readonly file: CommitFile;
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

/** Reads files one by one, with few commands. */
export class BlobReader {
  readonly #commits: Pick<ContentCommits, "bytes">;
  #waiting: Waiting[] = [];

  constructor(commits: Pick<ContentCommits, "bytes">) {
    this.#commits = commits;
  }

  /** The bytes of a file. @throws HttpError 422 when the repository lacks it, 503 for too many reads. */
  read(file: CommitFile): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ file, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#readAll());
    });
  }

  #readAll(): void {
    const all = this.#waiting;
    this.#waiting = [];
    const batches = batchesOf(all, ({ file }) => file.size);
    for (const batch of batches) {
      this.#commits
        .bytes(batch.map(({ file }) => file))
        .then((blobs) => batch.forEach(({ resolve }, at) => resolve(blobs[at] ?? Buffer.alloc(0))))
        .catch((error: unknown) => batch.forEach(({ reject }) => reject(error)));
    }
  }
}

/** Groups of files that are read with one command each. */
export function batchesOf<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let bytes = BATCH_BYTES;
  for (const item of items) {
    if (bytes >= BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(item);
    bytes += sizeOf(item);
  }
  return batches;
}
