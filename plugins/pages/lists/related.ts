import type { ContentView, PageEntry } from "../../content/contract.js";

/**
 * The pages that share most taxonomy values with a page, most first, the newest first among equals; only
 * those that the viewer sees.
 */
export function relatedPages(view: ContentView, entry: PageEntry): readonly PageEntry[] {
  const language = {
    lang: entry.standsInFor ?? entry.lang,
    fallback: entry.standsInFor !== undefined,
  };
  const shared = new Map<PageEntry, number>();
  for (const [name, values] of Object.entries(entry.taxonomy)) {
    for (const value of new Set(values)) {
      for (const page of view.taxonomyPages(name, value, language)) {
        if (page.sourcePath !== entry.sourcePath) shared.set(page, (shared.get(page) ?? 0) + 1);
      }
    }
  }
  const newest = view.list({
    ...language,
    order: { by: "date", dir: "desc" },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }).items;
  // Sorting is stable: equals stay in the order of dates.
  const found = shared.size === 0 ? [] : newest.filter((page) => shared.has(page));
  return found.sort((a, b) => (shared.get(b) ?? 0) - (shared.get(a) ?? 0));
}
