/** Commits saved pages, one after another, in the background. */
import type { Logger } from "#kernel";
import type { GitStatus } from "./contract.js";
import { commitExactly, type SavedStep } from "./exact-commit.js";
import { git } from "./run-git.js";
import { removeStaleLocks } from "./stale-locks.js";

/** What one save becomes. */
export interface SavedFiles {
  /** Absolute paths that the save has changed; nothing else is committed. */
  files: readonly string[];
  /** What the save has done to them; null: as they are when it is committed. */
  exact: readonly SavedStep[] | null;
  /** Unix ms. */
  at: number;
  message: string;
  author: { name: string; email: string } | null;
}

/** Bytes of saves that wait for their commit. */
const MOST_BYTES = 64 * 1_048_576;
const site = { name: "Site", email: "site@localhost" };

/** A queue of commits; a failure is noted and the next one is tried. */
export class GitCommits {
  readonly #root: string;
  readonly #log: Logger;
  #heldBytes = 0;
  #tail: Promise<void> = Promise.resolve();
  #status: GitStatus = { enabled: true, commits: 0, pending: 0, failed: 0, lastError: null };

  constructor(root: string, log: Logger) {
    this.#root = root;
    this.#log = log;
  }

  get status(): GitStatus {
    return this.#status;
  }

  /** Queues a commit; never throws, nobody waits for it. The next one starts after `finished`. */
  add(saved: SavedFiles, finished?: () => Promise<void>): void {
    this.#note({ pending: this.#status.pending + 1 });
    // Where git cannot keep up, bytes do not pile up: such saves are committed as the files then are.
    const bytes = (saved.exact ?? []).reduce((sum, step) => sum + lengthOf(step), 0);
    const isHeld = this.#heldBytes + bytes <= MOST_BYTES;
    const held = isHeld ? bytes : 0;
    this.#heldBytes += held;
    const work = isHeld ? saved : { ...saved, exact: null };
    this.#tail = this.#tail.then(async () => {
      await this.#run(work);
      this.#heldBytes -= held;
      await finished?.();
    });
  }

  /** Queues the removal of locks that a crash left behind while commits since then were unfinished. */
  recover(since: number): void {
    this.#tail = this.#tail.then(async () => {
      try {
        const removed = await removeStaleLocks(this.#root, since);
        if (removed.length > 0) this.#log.warn("history.git_locks_removed", { files: removed });
      } catch (error) {
        this.#log.warn("history.git_locks_failed", { error: String(error) });
      }
    });
  }

  settled(): Promise<void> {
    return this.#tail;
  }

  async #run(saved: SavedFiles): Promise<void> {
    try {
      const isMade = await this.#commitOrLookAgain(saved);
      this.#note({ commits: this.#status.commits + (isMade ? 1 : 0), lastError: null });
    } catch (error) {
      const message =
        error instanceof Error ? (error.message.trim().split("\n")[0] ?? "") : String(error);
      this.#note({ failed: this.#status.failed + 1, lastError: message });
      this.#log.error("history.commit-failed", { files: saved.files.length, error: message });
    } finally {
      this.#note({ pending: this.#status.pending - 1 });
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
    const author = authorOf(saved);
    const seconds = Math.floor(at / 1000);
    const text = { message, author, committer: site, at: seconds };
    const made = exact === null ? null : await commitExactly(this.#root, exact, text);
    if (made !== null) return made;
    const paths = await changedPaths(this.#root, files);
    if (paths.length === 0) return false;
    await git(this.#root, ["add", "-A", "--", ...paths]);
    // --only leaves alone what somebody else has staged.
    const options = ["--quiet", "--no-verify", `--author=${author.name} <${author.email}>`];
    const config = ["-c", `user.name=${site.name}`, "-c", `user.email=${site.email}`];
    await git(this.#root, [
      ...config,
      "commit",
      ...options,
      "-m",
      message,
      "--only",
      "--",
      ...paths,
    ]);
    return true;
  }

  #note(change: Partial<GitStatus>): void {
    this.#status = { ...this.#status, ...change };
  }
}

/** The paths that git sees as changed; one that was never known and is gone again is none. */
async function changedPaths(root: string, files: readonly string[]): Promise<string[]> {
  const literal = files.map((file) => `:(literal)${file}`);
  const status = await git(root, [
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

function lengthOf(step: SavedStep): number {
  return "from" in step ? 0 : (step.bytes?.length ?? 0);
}

function authorOf({ author }: SavedFiles): { name: string; email: string } {
  const { name, email } = author ?? site;
  return { name: plain(name) || site.name, email: plain(email) };
}

/** Git's own marks cannot stand in a name or an address. */
function plain(text: string): string {
  return text.replace(/[<>\p{Cc}]/gu, "").trim();
}
