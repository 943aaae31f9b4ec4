/** The navigation: visible pages in tree order, flat or nested. */
import type { NavItem, PageEntry } from "./contract.js";
import type { VisibleLists } from "./visible-lists.js";

/** The flat list, depth first. */
export function navItems(lists: VisibleLists, lang: string): readonly NavItem[] {
  return lists.once(`nav ${lang}`, isNavItems, () => navEntries(lists, lang).map(toNavItem));
}

/** The same pages below each other; a page whose parent is not shown stands with its nearest shown ancestor. */
export function navTree(lists: VisibleLists, lang: string): readonly NavItem[] {
  return lists.once(`nav tree ${lang}`, isNavItems, () => nest(navEntries(lists, lang)));
}

function navEntries(lists: VisibleLists, lang: string): PageEntry[] {
  return lists.ordered(lang).filter((entry) => entry.visible);
}

function toNavItem(entry: PageEntry): NavItem {
  const { route, navTitle, order, depth, template } = entry;
  return { route, title: navTitle, order, depth, template };
}

function nest(entries: readonly PageEntry[]): NavItem[] {
  const top: NavItem[] = [];
  const byRoute = new Map<string, NavItem>();
  for (const entry of entries) {
    const item: NavItem = { ...toNavItem(entry), children: [] };
    const parent = nearestShown(entry.parent, byRoute);
    (parent?.children ?? top).push(item);
    byRoute.set(entry.route, item);
  }
  return top;
}

/** Home is no branch: what lies in its folder stands beside it. */
function nearestShown(
  route: string | null,
  shown: ReadonlyMap<string, NavItem>,
): NavItem | undefined {
  for (let at = route ?? ""; at !== "" && at !== "/"; at = at.slice(0, at.lastIndexOf("/"))) {
    const item = shown.get(at);
    if (item !== undefined) return item;
  }
  return undefined;
}

function isNavItems(value: unknown): value is readonly NavItem[] {
  return Array.isArray(value);
}
