import type { SiteLock } from "#kernel/internal";

/** The keys of a package and its transitive dependencies. */
export function keysBelow(
  lock: Pick<SiteLock, "packages">,
  key: string,
  seen = new Set<string>(),
): ReadonlySet<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const needed of lock.packages[key]?.dependencies ?? []) keysBelow(lock, needed, seen);
  return seen;
}
