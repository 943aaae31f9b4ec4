/** Public types of the history plugin: versions, diffs, the service. */
import type { Git } from "#kernel";
import type { ApplyOptions, ContentChangeResult } from "../content/contract.js";

/** A version of a page, without its text. */
export interface RevisionInfo {
  /** Counts up per page, from 1. */
  readonly n: number;
  readonly sourcePath: string;
  /** `saved`: through the site; `found`: changed on the disk; `deleted`: the last text before a deletion. */
  readonly kind: "saved" | "found" | "deleted";
  /** Unix ms. */
  readonly createdAt: number;
  /** Null: unknown. */
  readonly actor: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly message: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}
/** A version with its text. */
export interface Revision extends RevisionInfo {
  readonly content: string;
}
/** A line of a diff. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  /** From 1; null where the line does not exist. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
}
/** Status of automatic commits. */
export interface GitStatus {
  readonly enabled: boolean;
  readonly commits: number;
  readonly pending: number;
  readonly failed: number;
  /** Null after a successful commit. */
  readonly lastError: string | null;
  /** The lock file that blocked the last commit, from the folder of the repository; absent: none did. */
  readonly lock?: string;
}
/** Message and author of a commit. */
export interface CommitReason {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string } | null;
}
/** The repository that every save is committed to. */
export interface CommitTarget {
  /** In a folder of the repository that contains the pages. */
  readonly git: Git;
  readonly committer: { readonly name: string; readonly email: string };
}
/**
 * The history of pages; `sourcePath` is that of a page below `content/`.
 *
 * @example
 * const history = site.use("history");
 * const [latest] = await history.list("01.home/default.md");
 * if (latest) await history.restore(latest.sourcePath, latest.n, { message: "Undo" });
 */
export interface HistoryService {
  /** Newest first; empty for a page without history. */
  list(sourcePath: string): Promise<readonly RevisionInfo[]>;
  get(sourcePath: string, n: number): Promise<Revision | null>;
  /**
   * Diff of version `n` against version `to` (default: the current page).
   * @throws ERR_HISTORY_UNKNOWN (404)
   */
  diff(sourcePath: string, n: number, to?: number): Promise<readonly DiffLine[]>;
  /** Writes version `n` through the write path. @throws ERR_HISTORY_UNKNOWN (404) */
  restore(
    sourcePath: string,
    n: number,
    options?: ApplyOptions & { ifHash?: string },
  ): Promise<ContentChangeResult>;
  git(): GitStatus;
  /**
   * Commits files (absolute paths) as they are now, after the commits queued so far; nothing without
   * differences. `author` null: unknown. Resolves when done; a failure is in `git()`.
   */
  commit(files: readonly string[], text: CommitReason): Promise<void>;
  /** Runs work on the repository while nothing commits, after the commits queued so far. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all changes so far are recorded and committed. */
  settled(): Promise<void>;
}

declare module "#kernel" {
  interface Services {
    history: HistoryService;
  }
  interface Engines {
    /**
     * Commits every save to this repository instead of that of the site root, also without
     * `admin.git_commit`.
     *
     * @example
     * import type { CommitTarget } from "sitewright/plugins";
     * declare const target: CommitTarget; // a repository in the content folder
     * site.engines.activate("commitTarget", target);
     */
    commitTarget: CommitTarget;
  }
  interface AdminSettings {
    /** Per page. */
    maxRevisions: number;
    git_commit: boolean;
  }
}
