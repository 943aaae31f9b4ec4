import type { SiteLock } from "#kernel";

/** A package's key and those of everything it needs. */
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
