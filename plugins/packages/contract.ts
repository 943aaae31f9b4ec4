/** The public API of packages: the minimum age of versions. */

/** Minimum age of a version before it is installed. */
export interface DependencyAge {
  /** 0: no minimum. */
  days: number;
  /** Names of packages without a minimum age; `@scope/*` matches a whole scope. */
  exclude: string[];
}

declare module "#kernel" {
  interface SystemSettings {
    packages: { minimum_dependency_age: DependencyAge };
  }
}
