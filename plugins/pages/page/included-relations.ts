import type { ContentService, ContentView, PageEntry } from "../../content/contract.js";
import { toCollectionItem } from "../lists/items.js";
import { isPrivateKey } from "./public-source.js";

/** What a page names in fields of its blueprint; `item` is the page if the viewer may see it, else null. */
export function toRelations(content: ContentService, view: ContentView, entry: PageEntry) {
  noteAllPages(view, entry);
  return content.relations
    .of(entry)
    .filter(({ field }) => !isPrivateKey(field))
    .map(({ field, target, key, entry: page }) => ({
      field,
      type: target,
      key,
      item: page !== null && view.isListed(page) ? toCollectionItem(page) : null,
    }));
}

/** The visible pages that name a page, in tree order. */
export function toBackReferences(content: ContentService, view: ContentView, entry: PageEntry) {
  noteAllPages(view, entry);
  return content.relations
    .referencedBy(entry)
    .filter(({ entry: from, field }) => view.isListed(from) && !isPrivateKey(field))
    .map(({ entry: from, field }) => ({ field, item: toCollectionItem(from) }));
}

/** Any page may begin or cease to be visible, or to name this one. */
function noteAllPages(view: ContentView, { lang }: PageEntry): void {
  view.all({ lang });
}
