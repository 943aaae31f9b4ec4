/** Versions and ranges of them, as npm reads them. Runs in Node.js. */
import { createRequire } from "node:module";

/** `includePrerelease`: `2.0.0-rc.1` is in `^2.0.0`. */
interface RangeOptions {
  includePrerelease?: boolean;
}

/** semver is 24 files: read when a plugin or theme states a range, which most sites do not have. */
const load = createRequire(import.meta.url) as (
  name: "semver",
) => Pick<typeof import("semver"), "maxSatisfying" | "satisfies" | "validRange">;

/** True when `version` is in `range`; false for an invalid version or range. */
export function satisfies(version: string, range: string, options: RangeOptions = {}): boolean {
  return load("semver").satisfies(version, range, options);
}

/** True for a range that semver understands. */
export function isRange(text: string): boolean {
  return load("semver").validRange(text) !== null;
}

/** The highest of `versions` in `range`; null without a match. */
export function maxSatisfying<T extends string>(
  versions: readonly T[],
  range: string,
  options: RangeOptions = {},
): T | null {
  return load("semver").maxSatisfying(versions, range, options);
}
