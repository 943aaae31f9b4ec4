/** What others may know of the admin API: its settings. */

declare module "#kernel" {
  interface AdminSettings {
    enabled: boolean;
    /** URL prefix with a leading slash, without a trailing one. */
    path: string;
    /** Seconds. */
    sessionLifetime: number;
    /** Per page. */
    maxRevisions: number;
    git_commit: boolean;
  }
}

export {};
