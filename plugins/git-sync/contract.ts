/** Public types of the synchronisation with git: settings, status, conflicts. */
import type { ApplyOptions } from "../content/contract.js";

/** Section `git_sync` of system.yaml. */
export interface GitSyncSection {
  /** Null: off. */
  remote: string | null;
  branch: string;
  /** 0: only on request. */
  interval_seconds: number;
  push: boolean;
  /** `Name <address>`. */
  author: string;
}

/** The state of the synchronisation. */
export interface GitSyncStatus {
  /** Without credentials. */
  readonly remote: string;
  readonly branch: string;
  /** Last complete run, as ISO 8601; null: none since the start. */
  readonly syncedAt: string | null;
  /** First failed run since the last complete one, as ISO 8601; null: it works. */
  readonly failingSince: string | null;
  readonly lastError: string | null;
  /** Commits that the remote does not have yet. */
  readonly unpushed: number;
  /** Conflicts that wait for a decision. */
  readonly conflicts: number;
}

/** A file that was changed here and in the remote. The site serves the text of the remote. */
export interface GitConflict {
  readonly id: string;
  /** From the root of the repository. */
  readonly path: string;
  /** Below `content/`; null for other files. */
  readonly sourcePath: string | null;
  /** Unix ms. */
  readonly at: number;
  /** Who changed it here. */
  readonly author: { readonly name: string; readonly email: string };
  /** The text of this site; null: deleted, or not a text. */
  readonly ours: string | null;
  /** The file as it is now; null: deleted, or not a text. */
  readonly theirs: string | null;
}
/** Resolves a conflict with one of the texts, or with another one. */
export type GitResolution = { readonly take: "ours" | "theirs" } | { readonly content: string };

/**
 * The synchronisation with a git remote. Provided while `git_sync.remote` is set.
 *
 * @example
 * const sync = site.use("gitSync", { optional: true });
 * await sync?.sync();
 * const paths = (await sync?.conflicts())?.map(({ path }) => path) ?? [];
 */
export interface GitSyncService {
  status(): GitSyncStatus;
  /** Fetches, merges and pushes; joins a run that has not fetched yet. A failure is in `status()`. */
  sync(): Promise<void>;
  /** Oldest first. */
  conflicts(): Promise<readonly GitConflict[]>;
  /**
   * Resolves a conflict, through the write path.
   * @throws ERR_GIT_SYNC_UNKNOWN (404), ERR_GIT_SYNC_RESOLVE (422).
   */
  resolve(id: string, resolution: GitResolution, options?: ApplyOptions): Promise<void>;
}

declare module "#kernel" {
  interface Services {
    gitSync: GitSyncService;
  }
  interface SystemSettings {
    git_sync: GitSyncSection;
  }
}
