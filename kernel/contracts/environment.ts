/** The environment of a site: its paths, log, clock and environment variables. */
export type { Clock } from "#lib/dates";
export type { Logger, LogLevel } from "#lib/log";

/** Absolute paths of the site. */
export interface Paths {
  readonly root: string;
  readonly content: string;
  /** `admin.dataDir`. */
  readonly data: string;
  /** `admin.runtimeDir`. */
  readonly runtime: string;
  /** Derived data that may be deleted at any time: `.dune/cache`. */
  readonly cache: string;
}
/** Environment variables; only the kernel reads `process.env`. */
export interface Env {
  /** `dev` or `production` (`SITE_ENV`). */
  readonly mode: "dev" | "production";
  /** The value of a variable, undefined when unset or empty. */
  get(name: string): string | undefined;
  /** Expands `$NAME` / `${NAME}` if it is the whole value, at call time; undefined when unset. */
  expand(value: string): string | undefined;
}
