/** The navigation: visible pages in tree order, flat or nested. */
import { toUrl, type LanguageRules } from "./address.js";
import type { NavItem, PageEntry } from "./contract.js";
import type { VisibleLists } from "./visible-lists.js";

/** The language of a navigation; the default one stands in for what is not translated. */
export interface NavLanguages {
  lang: string;
  rules: LanguageRules;
}

/** The flat list, depth first. */
export function navItems(lists: VisibleLists, languages: NavLanguages): readonly NavItem[] {
  const make = (): NavItem[] =>
    navEntries(lists, languages).map((entry) => toNavItem(entry, languages));
  return lists.once(`nav ${languages.lang}`, isNavItems, make);
}

/** The same pages below each other; a page whose parent is not shown stands with its nearest shown ancestor. */
export function navTree(lists: VisibleLists, languages: NavLanguages): readonly NavItem[] {
  const make = (): NavItem[] => nest(navEntries(lists, languages), languages);
  return lists.once(`nav tree ${languages.lang}`, isNavItems, make);
}

/** Pages that are not translated stand in the navigation with those that are: their routes answer too. */
function navEntries(lists: VisibleLists, { lang, rules }: NavLanguages): PageEntry[] {
  const fallback = rules.defaultLanguage;
  const own = lists.ordered(lang);
  if (lang === fallback) return own.filter((entry) => entry.visible);
  const translated = new Map(own.map((entry) => [entry.route, entry]));
  const inOrder = lists.ordered(fallback).map((entry) => {
    const translation = translated.get(entry.route);
    translated.delete(entry.route);
    return translation ?? entry;
  });
  return [...inOrder, ...translated.values()].filter((entry) => entry.visible);
}

function toNavItem(entry: PageEntry, { lang, rules }: NavLanguages): NavItem {
  const { route, navTitle, order, depth, template } = entry;
  return { route, url: toUrl(route, lang, rules), title: navTitle, order, depth, template };
}

function nest(entries: readonly PageEntry[], languages: NavLanguages): NavItem[] {
  const top: NavItem[] = [];
  const byRoute = new Map<string, NavItem>();
  for (const entry of entries) {
    const item: NavItem = { ...toNavItem(entry, languages), children: [] };
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
