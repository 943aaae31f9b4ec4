/** Chooses the version of a package. */
import { maxSatisfying, satisfies } from "#lib/versions";
import type { DependencyAge } from "./contract.js";
import { packagesError } from "./errors.js";

/** The registry's data on a package. */
export interface Published {
  name: string;
  versions: readonly string[];
  /** Version to ISO 8601 time. */
  time: Readonly<Record<string, string>>;
  /** The version with the tag `latest`. */
  latest: string | null;
}
/** The rules for versions that may be chosen. */
export interface ChoiceRules {
  /** `*`: the recommended version, else the newest. */
  range: string;
  age: DependencyAge;
  /** Unix ms. */
  now: number;
}

const DAY_MS = 86_400_000;

/**
 * The newest version in the range that is old enough.
 * @throws ERR_PACKAGE_VERSION naming the available versions.
 */
export function chooseVersion(published: Published, rules: ChoiceRules): string {
  const { name, versions, latest } = published;
  const { range } = rules;
  const fitting = versions.filter((version) => satisfies(version, range));
  const days = daysFor(name, rules.age);
  const allowed = fitting.filter((version) => ageInDays(published, version, rules.now) >= days);
  const best = range === "*" && latest !== null && allowed.includes(latest) ? latest : null;
  const chosen = best ?? maxSatisfying(allowed, range);
  if (chosen !== null) return chosen;
  if (fitting.length === 0) {
    const newest = maxSatisfying([...versions], "*", { includePrerelease: true });
    throw packagesError(
      "ERR_PACKAGE_VERSION",
      `no version of ${name} fits ${range}; the newest is ${newest ?? "none"}`,
      newest === null ? "correct the name" : `use ${name}@^${newest}`,
    );
  }
  const youngest = maxSatisfying(fitting, range) ?? "";
  const age = Math.floor(ageInDays(published, youngest, rules.now));
  throw packagesError(
    "ERR_PACKAGE_VERSION",
    `no version of ${name} that fits ${range} is ${days} days old; ${youngest} is ${age} days old`,
    `wait, or add "${name}" to packages.minimum_dependency_age.exclude in system.yaml`,
  );
}

/** The minimum age of a package's versions, in days. */
export function daysFor(name: string, { days, exclude }: DependencyAge): number {
  const isExcluded = exclude.some((pattern) =>
    pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  );
  return isExcluded ? 0 : days;
}

/** A version without a time counts as new. */
function ageInDays({ time }: Published, version: string, now: number): number {
  const at = Object.hasOwn(time, version) ? Date.parse(time[version] ?? "") : Number.NaN;
  return Number.isNaN(at) ? 0 : (now - at) / DAY_MS;
}

/** The same kind of range for another version: exact, `~` or `^`. */
export function rangeFor(former: string, version: string): string {
  return /^[~^]/.test(former) ? `${former.charAt(0)}${version}` : version;
}
