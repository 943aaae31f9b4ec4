/** The navigation: visible pages in tree order, flat or nested. */
import type { LanguageChoice, NavItem, PageEntry } from "../contract.js";
import { hasOrder } from "../index/orders.js";
import type { VisibleLists } from "./visible-lists.js";

/** The flat list, depth first. */
export function navItems(lists: VisibleLists, language: LanguageChoice): readonly NavItem[] {
  const make = (): NavItem[] => lists.inNavigation(language).map(toNavItem);
  return lists.once(`nav ${JSON.stringify(language)}`, isNavItems, make);
}

/** The same pages, nested; a page with a hidden parent moves to its nearest visible ancestor. */
export function navTree(lists: VisibleLists, language: LanguageChoice): readonly NavItem[] {
  const make = (): NavItem[] => nest(lists, lists.inNavigation(language));
  return lists.once(`nav tree ${JSON.stringify(language)}`, isNavItems, make);
}

function toNavItem(entry: PageEntry): NavItem {
  const { route, url, navTitle, depth, template } = entry;
  const order = hasOrder(entry) ? entry.order : null;
  const item: NavItem = { route, url, title: navTitle, order, depth, template };
  return entry.standsInFor === undefined ? item : { ...item, lang: entry.lang, fallback: true };
}

function nest(lists: VisibleLists, entries: readonly PageEntry[]): NavItem[] {
  const top: NavItem[] = [];
  const byPlace = new Map<string, NavItem>();
  for (const entry of entries) {
    const item: NavItem = { ...toNavItem(entry), children: [] };
    const parent = nearestShown(lists.parentKey(entry), byPlace);
    (parent?.children ?? top).push(item);
    byPlace.set(lists.entryKey(entry), item);
  }
  return top;
}

/** The home page has no children: pages of its folder are its siblings. */
function nearestShown(
  place: string | null,
  shown: ReadonlyMap<string, NavItem>,
): NavItem | undefined {
  for (let at = place ?? ""; at !== "" && at !== "/"; at = at.slice(0, at.lastIndexOf("/"))) {
    const item = shown.get(at);
    if (item !== undefined) return item;
  }
  return undefined;
}

function isNavItems(value: unknown): value is readonly NavItem[] {
  return Array.isArray(value);
}
