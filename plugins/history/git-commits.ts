/** Commits saved pages in the background, one at a time. */
import type { Logger, Git } from "#kernel";
import { removeStaleLocks } from "#lib/git";
import type { CommitTarget, GitStatus } from "./contract.js";
import { commitExactly, type SavedStep } from "./exact-commit.js";

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

  constructor({ git, committer }: CommitTarget, log: Logger) {
    this.#git = git;
    this.#committer = committer;
    this.#log = log;
  }

  get status(): GitStatus {
    return this.#status;
  }

  /** Queues a commit without waiting; never throws. The next commit starts after `finished`. */
  add(saved: SavedFiles, finished?: () => Promise<void>): void {
    this.#note({ pending: this.#status.pending + 1 });
    // If git cannot keep up, drop the bytes and commit the files in their current state.
    const bytes = (saved.exact ?? []).reduce((sum, step) => sum + lengthOf(step), 0);
    const isHeld = this.#queuedBytes + bytes <= MAX_BYTES;
    const counted = isHeld ? bytes : 0;
    this.#queuedBytes += counted;
    const work = isHeld ? saved : { ...saved, exact: null };
    this.#tail = this.#tail.then(async () => {
      await this.#run(work);
      this.#queuedBytes -= counted;
      await finished?.();
    });
  }

  /** Queues the removal of lock files that a crash during commits since then left behind. */
  recover(since: number): void {
    this.#tail = this.#tail.then(async () => {
      try {
        const removed = await removeStaleLocks(this.#git, since);
        if (removed.length > 0) this.#log.warn("history.git_locks_removed", { files: removed });
      } catch (error) {
        this.#log.warn("history.git_locks_failed", { error: String(error) });
      }
    });
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

  async #run(saved: SavedFiles): Promise<void> {
    try {
      const isMade = await this.#commitOrLookAgain(saved);
      this.#note({ commits: this.#status.commits + (isMade ? 1 : 0), lastError: null });
    } catch (error) {
      const message =
        error instanceof Error ? (error.message.trim().split("\n")[0] ?? "") : String(error);
      this.#note({ failed: this.#status.failed + 1, lastError: message });
      this.#log.error("history.commit_failed", { files: saved.files.length, error: message });
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
    const committer = this.#committer;
    const author = authorOf(saved, committer);
    const seconds = Math.floor(at / 1000);
    const text = { message, author, committer, at: seconds };
    const made = exact === null ? null : await commitExactly(this.#git, exact, text);
    if (made !== null) return made;
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

function lengthOf(step: SavedStep): number {
  return "from" in step ? 0 : (step.bytes?.length ?? 0);
}

function authorOf(
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
