/**
 * The smallest subset of `suspects` that still breaks the site. Tries halves first, so one culprit
 * among n is found in about log2(n) attempts.
 * @param breaks true when a site with exactly these is broken; true for all `suspects`, false for none.
 */
export async function smallestSet<T>(
  suspects: readonly T[],
  breaks: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let found = suspects;
  let parts = 2;
  while (found.length > 1) {
    const smaller = await smallerThan(found, Math.min(parts, found.length), breaks);
    if (smaller !== null) {
      found = smaller;
      parts = 2;
    } else if (parts >= found.length) break;
    else parts *= 2;
  }
  return found;
}

/** A half that breaks the site by itself, else all but one part. */
async function smallerThan<T>(
  all: readonly T[],
  count: number,
  breaks: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | null> {
  const size = Math.ceil(all.length / count);
  const parts = Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
  const others = count === 2 ? [] : parts.map((part) => all.filter((one) => !part.includes(one)));
  for (const part of [...parts, ...others]) {
    if (part.length > 0 && part.length < all.length && (await breaks(part))) return part;
  }
  return null;
}
