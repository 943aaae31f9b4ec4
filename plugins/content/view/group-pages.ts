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

/** Groups pages by a key; pages without one are omitted. */
export function groupBy(
  entries: readonly PageEntry[],
  keyOf: (entry: PageEntry) => string | null,
): Map<string, PageEntry[]> {
  const groups = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}
