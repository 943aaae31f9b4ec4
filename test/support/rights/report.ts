// What a matrix found, for people.

/** Prints how many cells had each outcome. */
export function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  const lines = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
  const width = Math.max(...lines.map(([name]) => name.length));
  console.log(`      ${title}`);
  for (const [name, count] of lines) {
    console.log(`        ${name.padEnd(width)}  ${String(count).padStart(6)}`);
  }
}

/** Counts one more of a kind. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
