/** What others may know of packages: the setting of their least age. */

/** How old a version must be before it is installed. */
export interface DependencyAge {
  /** 0: any version is taken. */
  days: number;
  /** Names of packages that are taken at any age; `@scope/*` stands for all of a scope. */
  exclude: string[];
}

declare module "#kernel" {
  interface SystemSettings {
    packages: { minimum_dependency_age: DependencyAge };
  }
}
