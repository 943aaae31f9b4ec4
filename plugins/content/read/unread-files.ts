/** Reports unreadable files and folders, and retries them until they can be read. */
import { HttpError, type Logger } from "#kernel";
import type { ContentProblem } from "../contract.js";

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;

interface WithProblems {
  readonly problems: readonly ContentProblem[];
}
interface WithReadingProblems {
  readonly readingProblems: readonly ContentProblem[];
}

/** The error for an unreadable file: it was not deleted, so it is not a 404. */
export function unreadable(sourcePath: string, cause?: unknown): HttpError {
  const message = "the page cannot be read at the moment";
  const fix = `make ${JSON.stringify(sourcePath)} readable for the server's user; it is tried again with each request`;
  const headers = { "Retry-After": "1" };
  return new HttpError(503, message, { code: "ERR_CONTENT_READ", fix, headers, cause });
}

/** Paths below the content folder that were unreadable at the last read. */
export function unreadPaths({ problems }: WithProblems): string[] {
  return problems.flatMap(({ code, sourcePath }) =>
    code === "ERR_CONTENT_READ" ? [sourcePath] : [],
  );
}

/** These paths and the unreadable ones, whose time and size are unreliable. */
export function withUnread(
  { readingProblems: problems }: WithReadingProblems,
  paths: Iterable<string>,
): ReadonlySet<string> {
  return new Set([...paths, ...unreadPaths({ problems })]);
}

/** Follows the generations of a running site. */
export class UnreadFiles {
  readonly #log: Pick<Logger, "error" | "info">;
  readonly #refresh: (paths: readonly string[]) => Promise<void>;
  #paths: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | null = null;
  #waitMs = FIRST_RETRY_MS;
  #isClosed = false;

  constructor(
    log: Pick<Logger, "error" | "info">,
    refresh: (paths: readonly string[]) => Promise<void>,
  ) {
    this.#log = log;
    this.#refresh = refresh;
  }

  /** Takes the problems of a generation. `quietly`: they are already logged. */
  follow(
    { readingProblems: problems }: WithReadingProblems,
    how: "quietly" | "aloud" = "aloud",
  ): void {
    const now = new Set(unreadPaths({ problems }));
    if (how === "aloud") this.#report(problems, now);
    this.#paths = now;
    if (now.size > 0) this.#retryLater();
    else this.#waitMs = FIRST_RETRY_MS;
  }

  #report(problems: readonly ContentProblem[], now: ReadonlySet<string>): void {
    for (const { sourcePath, code, message } of problems) {
      if (!now.has(sourcePath) || code !== "ERR_CONTENT_READ" || this.#paths.has(sourcePath))
        continue;
      this.#log.error("content.unreadable", { sourcePath, code, message });
    }
    for (const sourcePath of this.#paths) {
      if (!now.has(sourcePath)) this.#log.info("content.readable", { sourcePath });
    }
  }

  #retryLater(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#retry(), this.#waitMs).unref();
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_RETRY_MS);
  }

  async #retry(): Promise<void> {
    try {
      if (this.#paths.size > 0) await this.#refresh([...this.#paths]);
    } catch (error) {
      this.#log.error("content.retry_failed", { error: String(error) });
    } finally {
      this.#timer = null;
      if (this.#paths.size > 0) this.#retryLater();
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
