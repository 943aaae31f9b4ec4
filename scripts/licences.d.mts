/** The packages of a lock file with their licences, and which of them are not permitted. */
export function licencesOf(
  lock: { packages: Record<string, LockedPackage> },
  manifestOf: (path: string) => { license?: unknown; licenses?: { type: string }[] } | null,
): { packages: Licensed[]; unknown: Licensed[] };

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

export interface Licensed {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, or `unknown`. */
  readonly licence: string;
  readonly isDevelopment: boolean;
}
