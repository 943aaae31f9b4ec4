/** Commits saved pages in the background, one at a time. */
import { relative, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger, Git } from "#kernel";
import { GIT_LOCK_FIX, listLocks, removeStaleLocks } from "#lib/git";
import type { CommitTarget, GitStatus } from "./contract.js";

/** The files of one commit. */
export interface SavedFiles {
  /** Absolute paths changed by the save; nothing else is committed. */
  files: readonly string[];
  /** The exact changes; null: commit the files in their current state. */
  exact: readonly SavedStep[] | null;
  /** Unix ms. */
  at: number;
  message: string;
  author: { name: string; email: string } | null;
}

/** Maximum size of saves waiting for their commit, in bytes. */
const MAX_BYTES = 64 * 1_048_576;
/** Longest time that a commit waits for a lock, in ms: long enough to find out that it is stale. */
const LOCKED_MS = 40_000;
/** Pause between two looks at a lock, in ms. */
const LOOK_MS = 500;
/** Files whose commit a lock has blocked. */
const MAX_LEFT = 10_000;
/** Author and committer of what the site does by itself. */
export const SITE = { name: "Site", email: "site@localhost" };

/** A queue of commits; a failure is recorded and the next commit runs. */
export class GitCommits {
  readonly #git: Git;
  readonly #committer: CommitTarget["committer"];
  readonly #log: Logger;
  #queuedBytes = 0;
  #tail: Promise<void> = Promise.resolve();
  #status: GitStatus = { enabled: true, commits: 0, pending: 0, failed: 0, lastError: null };
  /** The lock file that blocked the last commit; null: none did. */
  #lock: string | null = null;
  /** Files of commits that a lock blocked for too long: they are committed, as they are then, after the next commit. */
  readonly #left = new Set<string>();
  readonly #closing = new AbortController();

  constructor({ git, committer }: CommitTarget, log: Logger) {
    this.#git = git;
    this.#committer = committer;
    this.#log = log;
  }

  get status(): GitStatus {
    return this.#lock === null ? this.#status : { ...this.#status, lock: this.#lock };
  }

  /** Queues a commit without waiting; never throws. The next commit starts after `finished`. */
  add(saved: SavedFiles, finished?: () => Promise<void>): void {
    this.#note({ pending: this.#status.pending + 1 });
    // If git cannot keep up, drop the bytes and commit the files in their current state.
    const bytes = (saved.exact ?? []).reduce(
      (sum, step) => sum + ("from" in step ? 0 : (step.bytes?.length ?? 0)),
      0,
    );
    const isHeld = this.#queuedBytes + bytes <= MAX_BYTES;
    const counted = isHeld ? bytes : 0;
    this.#queuedBytes += counted;
    const work = isHeld ? saved : { ...saved, exact: null };
    this.#tail = this.#tail.then(async () => {
      const isDone = await this.#run(work);
      this.#queuedBytes -= counted;
      if (isDone) await finished?.();
    });
  }

  /**
   * Queues the removal of lock files that no process holds. `since`, Unix ms: newer ones may be of a commit that
   * a crash interrupted; null: no commit was open.
   */
  recover(since: number | null): void {
    this.#tail = this.#tail.then(async () => void (await this.#removeLocks(since ?? Infinity)));
  }

  /** Commits no longer wait for locks: what they block stays in the journal for the next startup. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#tail;
  }

  /** Runs work after the queued commits, before later ones. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  settled(): Promise<void> {
    return this.#tail;
  }

  /** False when a lock blocks the commit while the site closes. */
  async #run(saved: SavedFiles): Promise<boolean> {
    try {
      const isMade = await this.#commitUnlocked(saved);
      this.#note({ commits: this.#status.commits + (isMade ? 1 : 0), lastError: null });
      this.#lock = null;
      await this.#commitLeft(saved);
    } catch (error) {
      const lock = this.#lock;
      const isKept = lock !== null && this.#closing.signal.aborted;
      if (lock !== null && !isKept) {
        for (const file of saved.files) if (this.#left.size < MAX_LEFT) this.#left.add(file);
      }
      const message =
        error instanceof Error ? (error.message.trim().split("\n")[0] ?? "") : String(error);
      this.#note({ failed: this.#status.failed + 1, lastError: message });
      this.#log.error("history.commit_failed", {
        files: saved.files.length,
        error: message,
        ...(lock !== null && { lock, fix: GIT_LOCK_FIX }),
      });
      return !isKept;
    } finally {
      this.#note({ pending: this.#status.pending - 1 });
    }
    return true;
  }

  /** Waits while a lock blocks git, removes it when no process holds it, and commits again. */
  async #commitUnlocked(saved: SavedFiles): Promise<boolean> {
    // The next commits do not wait for a lock that has blocked one for so long.
    const latest = performance.now() + (this.#lock === null ? LOCKED_MS : 0);
    for (;;) {
      try {
        return await this.#commitOrLookAgain(saved);
      } catch (error) {
        this.#lock = await this.#blockingLock();
        if (this.#lock === null || this.#closing.signal.aborted) throw error;
        if (await this.#removeLocks(Infinity)) continue;
        if (performance.now() >= latest) throw error;
        await delay(LOOK_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      }
    }
  }

  /** The first lock file that is there, from the folder of the repository; null: none. */
  async #blockingLock(): Promise<string | null> {
    const [lock] = await listLocks(this.#git).catch(() => []);
    return lock === undefined ? null : relative(this.#git.root, lock.file);
  }

  /** Commits what locks have blocked before. */
  async #commitLeft({ at }: SavedFiles): Promise<void> {
    if (this.#left.size === 0) return;
    const files = [...this.#left];
    this.#left.clear();
    const message = `change ${files.length} files while git was locked`;
    const isMade = await this.#commitOrLookAgain({ files, exact: null, at, message, author: null });
    this.#note({ commits: this.#status.commits + (isMade ? 1 : 0) });
  }

  /** True when locks were removed. */
  async #removeLocks(since: number): Promise<boolean> {
    try {
      const removed = await removeStaleLocks(this.#git, { since });
      if (removed.length > 0) this.#log.warn("history.git_locks_removed", { files: removed });
      return removed.length > 0;
    } catch (error) {
      this.#log.warn("history.git_locks_failed", { error: String(error) });
      return false;
    }
  }

  /** A file may be moved or deleted by the next save while this one is committed. */
  async #commitOrLookAgain(saved: SavedFiles): Promise<boolean> {
    try {
      return await this.#commit(saved);
    } catch {
      return this.#commit(saved);
    }
  }

  /** False when git sees no difference. */
  async #commit(saved: SavedFiles): Promise<boolean> {
    const { files, message, exact, at } = saved;
    const committer = this.#committer;
    const author = toAuthor(saved, committer);
    const seconds = Math.floor(at / 1000);
    const text = { message, author, committer, at: seconds };
    const committed = exact === null ? null : await commitExactly(this.#git, exact, text);
    if (committed !== null) return committed;
    const paths = await changedPaths(this.#git, files);
    if (paths.length === 0) return false;
    await this.#git.run(["add", "-A", "--", ...paths]);
    // --only leaves other staged changes untouched.
    const options = ["--quiet", "--no-verify", `--author=${author.name} <${author.email}>`];
    const config = ["-c", `user.name=${committer.name}`, "-c", `user.email=${committer.email}`];
    await this.#git.run([...config, "commit", ...options, "-m", message, "--only", "--", ...paths]);
    return true;
  }

  #note(change: Partial<GitStatus>): void {
    this.#status = { ...this.#status, ...change };
  }
}

/** The paths that git sees as changed; excludes untracked files that were deleted again. */
async function changedPaths(git: Git, files: readonly string[]): Promise<string[]> {
  const literal = files.map((file) => `:(literal)${file}`);
  const status = await git.run([
    "status",
    "--porcelain",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--",
    ...literal,
  ]);
  return status
    .split("\0")
    .filter((line) => line.length > 3)
    .map((line) => `:(top,literal)${line.slice(3)}`);
}

function toAuthor(
  { author }: SavedFiles,
  committer: CommitTarget["committer"],
): { name: string; email: string } {
  const { name, email } = author ?? committer;
  return { name: plain(name) || committer.name, email: plain(email) };
}

/** Removes characters that git does not allow in names or addresses. */
function plain(text: string): string {
  return text.replace(/[<>\p{Cc}]/gu, "").trim();
}

/** A file of a save: its absolute path and bytes; null when the save deleted it. */
export interface SavedFile {
  path: string;
  bytes: Buffer | null;
}
/** A file or folder that a save moved (absolute paths); its git entries move, too. */
export interface MovedPath {
  from: string;
  to: string;
}
/** A step of a save. */
export type SavedStep = SavedFile | MovedPath;
/** Author, message and time of a commit. */
export interface CommitText {
  message: string;
  author: { name: string; email: string };
  committer: { name: string; email: string };
  /** Unix seconds. */
  at: number;
}
/** Paths are relative to the repository root. A null `blob` removes the path. */
type Edit = { path: string; blob: string | null } | { from: string; path: string };
/** The branch that a commit goes to. */
interface CurrentBranch {
  git: Git;
  /** Path of the site within the repository. */
  prefix: string;
  /** The parent commit; "" without one. */
  tip: string;
  /** `refs/heads/main`. */
  branch: string;
}

/**
 * Commits these steps on the current branch; false without a difference, null on a detached HEAD or
 * when git does not track what was moved: the caller must handle it. Leaves other staged paths
 * untouched and runs no repository hooks.
 */
export async function commitExactly(
  git: Git,
  steps: readonly SavedStep[],
  text: CommitText,
): Promise<boolean | null> {
  const target = await readHead(git);
  if (target === null) return null;
  const edits = await toEdits(target, steps);
  if (edits === null || edits.length === 0) return edits === null ? null : false;
  // Update the index first: a crash then leaves this save staged, not its reversal.
  await stage(target, edits);
  await git.run(["fast-import", "--quiet", "--date-format=raw"], stream(target, edits, text));
  return true;
}

/**
 * The current branch; null on a detached HEAD. One command for all of it: each start of a program blocks the event loop,
 * for tens of milliseconds in a server of 1 GB.
 */
async function readHead(git: Git): Promise<CurrentBranch | null> {
  const words = ["rev-parse", "--show-prefix", "HEAD", "--symbolic-full-name", "HEAD"];
  const printed = await git.run(words).catch(() => null);
  if (printed === null) return unbornBranch(git);
  const [, prefix = "", tip = "", branch = ""] = /^(.*)\n(.+)\n(.+)\n$/s.exec(printed) ?? [];
  return branch === "HEAD" ? null : { git, prefix, tip, branch };
}

/** The branch of a repository without a commit. */
async function unbornBranch(git: Git): Promise<CurrentBranch | null> {
  const branch = (await git.run(["symbolic-ref", "-q", "HEAD"]).catch(() => "")).trim();
  if (branch === "") return null;
  const prefix = (await git.run(["rev-parse", "--show-prefix"])).trim();
  return { git, prefix, tip: "", branch };
}

/** Stages the contents of the commit at these paths. */
async function stage(current: CurrentBranch, edits: readonly Edit[]): Promise<void> {
  for (const edit of edits) {
    // Sequential: a later step may touch what an earlier one moved.
    const lines =
      "from" in edit
        ? await movedEntries(current, edit.from, edit.path)
        : [indexLine(current, edit.path, edit.blob)];
    await current.git.run(["update-index", "-z", "--replace", "--index-info"], lines.join(""));
  }
}

/** A removal in the format of `--index-info`; ids of SHA-256 repositories are longer. */
function noFile({ tip }: CurrentBranch): string {
  return `0 ${"0".repeat(tip.length || 40)}`;
}

function indexLine(current: CurrentBranch, path: string, blob: string | null): string {
  return `${blob === null ? noFile(current) : `100644 ${blob}`}\t${path}\0`;
}

/** Index entries that remove the old path of a file or folder and add the new one. */
async function movedEntries(current: CurrentBranch, from: string, path: string): Promise<string[]> {
  const listed = await current.git.run([
    "ls-files",
    "-z",
    "--stage",
    "--full-name",
    "--",
    `:(top,literal)${from}`,
  ]);
  return listed.split("\0").flatMap((line) => {
    const [, mode, blob, name = ""] = /^(\d+) ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined) return [];
    return [
      `${noFile(current)}\t${name}\0`,
      `${mode} ${blob}\t${path}${name.slice(from.length)}\0`,
    ];
  });
}

/** The edits to the tree; null when a moved path is not in it. */
async function toEdits(
  current: CurrentBranch,
  steps: readonly SavedStep[],
): Promise<Edit[] | null> {
  const edits: Edit[] = [];
  for (const step of steps) {
    if ("from" in step) {
      const [from, path] = [step.from, step.to].map((one) => current.prefix + inSite(current, one));
      if (from === undefined || path === undefined) return null;
      if (current.tip === "" || !(await isKnown(current, from))) return null;
      edits.push({ from, path });
    } else {
      const edit = await toEdit(current, step, edits);
      if (edit !== null) edits.push(edit);
    }
  }
  return edits;
}

function inSite({ git }: CurrentBranch, path: string): string {
  return relative(git.root, path).split(sep).join("/");
}

async function isKnown({ git, tip }: CurrentBranch, path: string): Promise<boolean> {
  return (await git.run(["ls-tree", "-z", "--full-tree", tip, "--", path])) !== "";
}

/** The edit to the tree for one file; null when unchanged or ignored by git. */
async function toEdit(
  current: CurrentBranch,
  { path: file, bytes }: SavedFile,
  before: readonly Edit[],
): Promise<Edit | null> {
  const { git, prefix, tip } = current;
  const inRoot = inSite(current, file);
  const path = prefix + inRoot;
  // Paths touched by an earlier step differ from the parent commit.
  const isTouched = before.some((edit) => path === edit.path || path.startsWith(`${edit.path}/`));
  const blobBefore = tip === "" || isTouched ? null : await findBlob(git, tip, path);
  if (bytes === null) return blobBefore === null && !isTouched ? null : { path, blob: null };
  if (blobBefore === null && (await isIgnored(git, inRoot))) return null;
  // Applies the .gitattributes filters of this path, like `git add`.
  const blob = (await git.run(["hash-object", "-w", `--path=${inRoot}`, "--stdin"], bytes)).trim();
  return blob === blobBefore ? null : { path, blob };
}

async function findBlob(git: Git, tip: string, path: string): Promise<string | null> {
  const listed = await git.run(["ls-tree", "-z", "--full-tree", tip, "--", path]);
  return /^\d+ blob ([0-9a-f]+)\t/.exec(listed)?.[1] ?? null;
}

async function isIgnored(git: Git, path: string): Promise<boolean> {
  return git.run(["check-ignore", "-q", "--", `./${path}`]).then(
    () => true,
    () => false,
  );
}

/** The commit in the format of git-fast-import(1). */
function stream({ branch, tip }: CurrentBranch, edits: readonly Edit[], text: CommitText): Buffer {
  const { message, author, committer, at } = text;
  const who = ({ name, email }: CommitText["author"]): string => `${name} <${email}> ${at} +0000`;
  const lines = [
    `commit ${branch}`,
    `author ${who(author)}`,
    `committer ${who(committer)}`,
    `data ${Buffer.byteLength(message)}`,
    message,
    ...(tip === "" ? [] : [`from ${tip}`]),
    ...edits.map(formatEdit),
    "",
  ];
  return Buffer.from(lines.join("\n"));
}

function formatEdit(edit: Edit): string {
  const path = quoted(edit.path);
  if ("from" in edit) return `R ${quoted(edit.from)} ${path}`;
  return edit.blob === null ? `D ${path}` : `M 100644 ${edit.blob} ${path}`;
}

function quoted(path: string): string {
  const escaped = path.replace(/["\\]/g, (mark) => `\\${mark}`).replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
