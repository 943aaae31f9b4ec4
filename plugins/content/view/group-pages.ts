/** Groups pages, preserving their order. */
import type { PageEntry } from "../contract.js";

/** Name to value to pages, newest first. */
export type Postings = ReadonlyMap<string, ReadonlyMap<string, readonly PageEntry[]>>;

/** The pages that have each value of each taxonomy. */
export function postingsOf(entries: readonly PageEntry[]): Map<string, Map<string, PageEntry[]>> {
  const postings = new Map<string, Map<string, PageEntry[]>>();
  for (const entry of entries) {
    for (const [name, values] of Object.entries(entry.taxonomy)) {
      let byValue = postings.get(name);
      if (byValue === undefined) postings.set(name, (byValue = new Map()));
      for (const value of values) {
        const list = byValue.get(value);
        if (list === undefined) byValue.set(value, [entry]);
        else list.push(entry);
      }
    }
  }
  return postings;
}

/** Groups pages or files by a key; those without one are omitted. */
export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
