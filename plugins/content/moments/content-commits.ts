/** Reads commits of the repository that contains the content folder, through the git binary. */
import { HttpError, type SiteContext, Git } from "#kernel";
import { WorkQueue } from "#lib/concurrency";

/** A commit of a branch. */
export interface Commit {
  /** The full id. */
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
}
/** A file of a commit. */
export interface CommitFile {
  /** Below the content folder. */
  readonly path: string;
  /** Id of its bytes. */
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
}

/** At least seven digits: fewer name many commits. */
const ID = /^[0-9a-f]{7,64}$/;
/** Maximum bytes of the list of a commit's files. */
const MAX_LIST_BYTES = 16 * 1_048_576;
/** Commands at a time, and how many wait how long. */
const LIMITS = { concurrency: 4, length: 500, maxWaitMs: 10_000 } as const;
/** Reads only what is there: no prompts, no downloads, no replaced objects. */
const ENV = {
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};
const BLOB = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s;
/** A regular file; links are not followed. */
const FILE_MODE = /^100/;

/** The commits of the content. */
export class ContentCommits {
  readonly #git: Git;
  readonly #queue = new WorkQueue({ ...LIMITS, busy });

  constructor(site: Pick<SiteContext, "paths" | "lifecycle">) {
    this.#git = new Git(site.paths.content, { signal: site.lifecycle.signal });
  }

  /**
   * The commit with this id or the beginning of it, when a branch contains it. No other name of a
   * commit is accepted.
   * @throws HttpError 400 for a malformed or ambiguous id, 404 for an unknown one.
   */
  async find(rev: string): Promise<Commit> {
    const hash = rev.toLowerCase();
    if (!ID.test(hash)) {
      const message = `rev: ${JSON.stringify(rev.slice(0, 100))} is not the id of a commit`;
      throw momentError(400, message, "use at least 7 hexadecimal digits of it");
    }
    const [id, other] = await this.#commits(hash);
    if (id === undefined || !(await this.#isOfBranch(id))) throw unknown(rev);
    if (other !== undefined) {
      throw momentError(400, `rev: ${JSON.stringify(rev)} is ambiguous`, "use more of its digits");
    }
    const [seconds] = (await this.#read(["rev-list", "--max-count=1", "--timestamp", id])).split(
      " ",
    );
    return { id, at: Number(seconds) * 1_000 };
  }

  /** The commits whose ids begin with these digits. Names of branches and tags are not looked at. */
  async #commits(digits: string): Promise<string[]> {
    const objects = await this.#read(["rev-parse", `--disambiguate=${digits}`]).catch(() => "");
    if (objects.trim() === "") return [];
    const kinds = await this.#read(["cat-file", "--batch-check"], objects);
    return kinds.split("\n").flatMap((line) => /^([0-9a-f]+) commit /.exec(line)?.[1] ?? []);
  }

  async #isOfBranch(id: string): Promise<boolean> {
    const list = ["rev-list", "--max-count=1", id, "--not"];
    if ((await this.#read([...list, "--branches"])) === "") return true;
    // A detached HEAD is a branch without a name.
    return (await this.#read([...list, "HEAD"]).catch(() => id)) === "";
  }

  /** The files below the content folder, without links. @throws ERR_CONTENT_MOMENT_SIZE (422). */
  async files({ id }: Commit): Promise<CommitFile[]> {
    const args = ["ls-tree", "-r", "-z", "--long", id];
    const run = { env: ENV, maxBytes: MAX_LIST_BYTES };
    const list = await this.#queue
      .run(() => this.#git.read(args, run))
      .catch((cause: unknown) => {
        if (cause instanceof HttpError) throw cause;
        throw momentError(422, "the commit has too many files, or cannot be read", "check it out");
      });
    return list
      .toString()
      .split("\0")
      .flatMap((line) => {
        const [, mode = "", blob = "", size = "", path = ""] = BLOB.exec(line) ?? [];
        return FILE_MODE.test(mode) ? [{ path, blob, size: Number(size) }] : [];
      });
  }

  /** The bytes of files, in their order. */
  async bytes(files: readonly Pick<CommitFile, "blob">[]): Promise<Buffer[]> {
    if (files.length === 0) return [];
    const input = files.map(({ blob }) => `${blob}\n`).join("");
    const args = ["cat-file", "--batch"];
    return parseBlobs(await this.#queue.run(() => this.#git.read(args, { input, env: ENV })));
  }

  async #read(args: readonly string[], input = ""): Promise<string> {
    return (await this.#queue.run(() => this.#git.read(args, { input, env: ENV }))).toString();
  }
}

/** The objects in the output of `git cat-file --batch`. */
function parseBlobs(output: Buffer): Buffer[] {
  const blobs: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const size = Number(/ (\d+)$/.exec(output.toString("latin1", at, end))?.[1] ?? Number.NaN);
    if (Number.isNaN(size))
      throw momentError(422, "the repository lacks a file", "fetch all of it");
    blobs.push(output.subarray(end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return blobs;
}

function unknown(rev: string): HttpError {
  const message = `rev: no branch of the content has the commit ${JSON.stringify(rev)}`;
  return momentError(404, message, "use a commit that `git log` lists in the content folder");
}

function busy(): HttpError {
  return new HttpError(503, "too many requests read the history, try again", {
    headers: { "Retry-After": "2" },
  });
}

/** The error of a request for a moment that cannot be shown; the fix is part of what the client reads. */
export function momentError(status: 400 | 404 | 422, message: string, fix: string): HttpError {
  const code = status === 422 ? "ERR_CONTENT_MOMENT_SIZE" : "ERR_CONTENT_MOMENT";
  return new HttpError(status, `${message}; ${fix}`, { code, fix });
}

/** Bytes that are read at once, unless a file is larger. */
const BATCH_BYTES = 8 * 1_048_576;

interface Waiting {
  readonly file: CommitFile;
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

/** Reads files one by one: those that callers want in one turn share a git command. */
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
    const batches = toBatches(all, ({ file }) => file.size);
    for (const batch of batches) {
      this.#commits
        .bytes(batch.map(({ file }) => file))
        .then((blobs) => batch.forEach(({ resolve }, at) => resolve(blobs[at] ?? Buffer.alloc(0))))
        .catch((error: unknown) => batch.forEach(({ reject }) => reject(error)));
    }
  }
}

/** Groups of files that are read with one command each. */
export function toBatches<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
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
