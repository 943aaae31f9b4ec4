/** Says whether the configuration on the disk is the one that the site runs with. */

/** A problem that keeps a changed configuration from being used. */
export interface ReloadProblem {
  /** Relative to the site root; null when the problem is in no file. */
  readonly file: string | null;
  readonly line: number | null;
  /** The configuration key; null when the problem is in none. */
  readonly key: string | null;
  /** One line for terminals and logs: place, cause and fix. */
  readonly message: string;
  /** The mistake without its position. */
  readonly cause: string;
  readonly fix: string | null;
}
/** The result of the last reload; `valid` before the first one. */
export interface ConfigState {
  readonly state: "valid" | "invalid";
  /** When the last reload ended, as ISO 8601; null before the first one. */
  readonly at: string | null;
  /** Empty when valid. */
  readonly problems: readonly ReloadProblem[];
}
/** Says whether a site is that of its files, as far as a reload has found out. */
export interface ReloadStatus {
  /** Packages that have changed since the process loaded them; only `site dev` notices. */
  readonly changedPackages: ReadonlySet<string>;
  /** The result of the last reload of the configuration. */
  configState(): ConfigState;
  /**
   * Calls `listener` when the site falls behind its files, until the returned function is called: after each
   * reload of this process that failed, and when a package has changed.
   */
  onOutdated(listener: () => void): () => void;
}
