/** The pages that a change takes the address from. */
import { runInSlices } from "#lib/concurrency";
import type { PageEntry } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import type { ChangedRecords } from "../index/update-index.js";
import { indexWith } from "../index/index-with.js";
import { folderOf } from "../read/source-name.js";

/**
 * The pages that would lose their address or an alias to one of the changed files: by its path, or by `slug`, `routes`
 * and aliases of its front matter. With them those that have its address in other languages, where they may be shown
 * in place of the missing translation.
 */
export async function displacedPages(
  index: ContentIndex,
  change: ChangedRecords,
  rules: ContentRules,
): Promise<readonly PageEntry[]> {
  const next = await runInSlices(indexWith(index, change, rules));
  const own = new Set([...change.changed.map(({ sourcePath }) => sourcePath), ...change.removed]);
  const displaced = new Set<PageEntry>();
  const note = (former: PageEntry | undefined, now: PageEntry | undefined): void => {
    if (former === undefined || own.has(former.sourcePath)) return;
    if (now?.sourcePath !== former.sourcePath) displaced.add(former);
  };
  for (const { sourcePath } of change.changed) {
    const entry = next.bySource.get(sourcePath);
    for (const [route, lang] of claimsOf(entry, index, rules)) note(index.at(route, lang), entry);
    for (const alias of entry?.aliases ?? []) {
      note(index.alias(alias, entry?.lang ?? ""), next.alias(alias, entry?.lang ?? ""));
    }
    // A file can also become the page of its folder.
    const { own: pages = [], flat = [] } = index.folder(folderOf(sourcePath)) ?? {};
    for (const { route, lang } of [...pages, ...flat]) {
      note(index.at(route, lang), next.at(route, lang));
    }
  }
  return [...displaced];
}

/** The address that a page did not have before, in every language. */
function claimsOf(
  entry: PageEntry | undefined,
  index: ContentIndex,
  { languages }: ContentRules,
): (readonly [route: string, lang: string])[] {
  if (entry === undefined || entry.isModule || !entry.routable) return [];
  const { route, sourcePath } = entry;
  if (index.bySource.get(sourcePath)?.route === route) return [];
  return languages.map((lang) => [route, lang] as const);
}
