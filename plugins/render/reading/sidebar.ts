import { posix } from "node:path";
import type { ContentView, NavItem } from "../../content/contract.js";
import type { Preset, SidebarItem, VersionView } from "../contract.js";
import { addressIn } from "../page/url.js";
import { SidebarTree, type BranchName, type SidebarBranch } from "./sidebar-branches.js";
import type { SidebarEntry } from "./sidebar-file.js";

/** The inputs of the sidebars of a visitor in a language. */
export interface SidebarRequest {
  view: ContentView;
  nav: readonly NavItem[];
  lang: string;
  preset: Preset;
  entries: readonly SidebarEntry[] | null;
  versions: readonly Version[];
  /** Address of a route in the language of the page. */
  href(route: string): string;
}

/** The inputs of the sidebar of a page. */
interface PageRequest extends SidebarRequest {
  route: string;
}

/** A tree, and the tags of what it depends on besides the navigation. */
interface CachedTree {
  readonly tree: SidebarTree;
  readonly reads: readonly string[];
}

/**
 * The trees of pages beside a page, cached with the navigation: their lists are the same objects while
 * the navigation is, so that cached markup is found by identity.
 */
export class Sidebars {
  // Not in site.cache: they live with their navigation, and their identity counts.
  readonly #made = new WeakMap<readonly NavItem[], Map<string, CachedTree>>();
  readonly #entries = new WeakMap<readonly SidebarEntry[], number>();
  #count = 0;

  /** The tree of the page at `route`. */
  of(request: PageRequest): SidebarTree {
    const { nav, route, lang, entries, view } = request;
    const version = findVersion(route, request.versions);
    const section = isWhole(request) ? "" : (findSection(nav, route)?.route ?? "-");
    const name = JSON.stringify([version?.path, section]);
    const key = JSON.stringify([lang, name, entries && this.#idOf(entries)]);
    let byKey = this.#made.get(nav);
    if (byKey === undefined) this.#made.set(nav, (byKey = new Map()));
    let cached = byKey.get(key);
    if (cached === undefined) {
      const reads = new Set<string>();
      const tree = new SidebarTree(make({ ...request, reads }, version), { lang, name });
      byKey.set(key, (cached = { tree, reads: [...reads] }));
    }
    for (const tag of cached.reads) view.reads.add(tag);
    return cached.tree;
  }

  /** The entries of a branch, in the tree that has it; null: no tree has it. */
  branch(request: SidebarRequest, name: BranchName): SidebarBranch | null {
    const routes = isWhole(request)
      ? ["/", ...request.versions.map(({ path }) => path)]
      : request.nav.map(({ route }) => route);
    for (const route of routes) {
      const branch = this.of({ ...request, route }).branch(name);
      if (branch !== null) return branch;
    }
    return null;
  }

  #idOf(entries: readonly SidebarEntry[]): number {
    const id = this.#entries.get(entries) ?? (this.#count += 1);
    this.#entries.set(entries, id);
    return id;
  }
}

/** True when the sidebar is the same in all sections of the site. */
function isWhole({ preset, entries }: Pick<SidebarRequest, "preset" | "entries">): boolean {
  return preset === "docs" || entries !== null;
}

/** The inputs of a tree; what it depends on is added to `reads`. */
interface TreeRequest extends PageRequest {
  readonly reads: Set<string>;
}

function make(request: TreeRequest, version: Version | null): readonly SidebarItem[] {
  const { nav, route, preset, entries } = request;
  if (entries !== null) return fromFile(request, version);
  if (preset !== "docs") {
    const section = findSection(nav, route);
    return section === null ? [] : [toItem(section)];
  }
  const others = request.versions.filter(({ path }) => path !== "/" && path !== version?.path);
  if (version !== null && version.path !== "/") {
    return ofVersion(nav, version) ?? treeSidebar(request, version.path, others);
  }
  const shown = nav
    .filter(({ route: own, template }) => own !== "/" && template !== "blog")
    .filter(({ route: own }) => !others.some(({ path }) => isBelow(own, path)));
  const isNumbered = others.length > 0 && nav.some(({ route: own }) => own !== "/");
  return shown.length > 0 || isNumbered ? shown.map(toItem) : treeSidebar(request, "/", others);
}

/** The pages of a version: those below its folder, and its first page; null without numbers. */
function ofVersion(nav: readonly NavItem[], { path }: Version): readonly SidebarItem[] | null {
  const root = flat(nav).find(({ route }) => route === path);
  if (root === undefined) return null;
  const { children = [], ...rest } = root;
  return [toItem(rest), ...children.map(toItem)];
}

/** The section of the tree with a page; null for a section of one page. */
function findSection(nav: readonly NavItem[], route: string): NavItem | null {
  const section = nav.find((item) => item.route !== "/" && isBelow(route, item.route));
  return section?.children?.length ? section : null;
}

function toItem({ title, url, route, lang, children = [] }: NavItem): SidebarItem {
  return { title, url, route, ...(lang !== undefined && { lang }), items: children.map(toItem) };
}

/** The entries of the file: those of other versions and pages that the visitor may not see are left out. */
function fromFile(request: TreeRequest, version: Version | null): readonly SidebarItem[] {
  const listed = new Map(flat(request.nav).map((item) => [item.route, item]));
  const isShown = (route: string): boolean => {
    const pageVersion = findVersion(route, request.versions);
    return version === null || pageVersion === null || pageVersion.path === version.path;
  };
  const toItems = (entries: readonly SidebarEntry[]): SidebarItem[] =>
    entries.flatMap((entry) => {
      const { page } = entry;
      const items = toItems(entry.items ?? []);
      if (page === undefined) return toGroup(request, entry, items);
      const link = isShown(page) ? findLink(request, listed, page) : null;
      if (link === null) return items;
      const { url, lang } = link;
      const title = translate(entry.title, request.lang);
      if (title !== undefined) return [{ title, url, route: page, items }];
      const item = { title: link.title, url, route: page };
      return [{ ...item, ...(lang !== undefined && { lang }), items }];
    });
  return toItems(request.entries ?? []);
}

/** An entry without a page: a group, or an address; none when nothing is left in it. */
function toGroup(
  { lang, href }: SidebarRequest,
  entry: SidebarEntry,
  items: readonly SidebarItem[],
): SidebarItem[] {
  if (entry.url === undefined && items.length === 0) return [];
  const url = entry.url === undefined ? null : addressIn(href, entry.url);
  return [{ title: translate(entry.title, lang) ?? "", url, route: null, items }];
}

function findLink(
  { view, lang, href, reads }: TreeRequest,
  listed: ReadonlyMap<string, NavItem>,
  route: string,
): Pick<SidebarItem, "title" | "url" | "lang"> | null {
  const item = listed.get(route);
  if (item !== undefined) return item;
  // A page outside the navigation, which changes with any list.
  reads.add("list");
  const page = view.page(route, lang);
  if (page === undefined || !page.routable) return null;
  return {
    title: page.navTitle,
    url: href(route),
    ...(page.lang !== lang && { lang: page.lang }),
  };
}

function translate(title: SidebarEntry["title"], lang: string): string | undefined {
  if (typeof title !== "object") return title;
  return title[lang] ?? title[lang.split("-")[0] ?? lang] ?? Object.values(title)[0];
}

/** The version with a route: the one with the longest path above it. */
export function findVersion(route: string, versions: readonly Version[]): Version | null {
  const matching = versions.filter(({ path }) => isBelow(route, path));
  return matching.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}

function flat(items: readonly NavItem[]): NavItem[] {
  return items.flatMap((item) => [item, ...flat(item.children ?? [])]);
}

interface Node extends SidebarItem {
  readonly items: Node[];
}

/**
 * The sidebar of a tree without numbers, of which nothing is in the navigation: all undated pages at and
 * below `root`, by the folders of their routes, without those of other versions.
 */
function treeSidebar(
  { view, lang, href, reads }: TreeRequest,
  root: string,
  others: readonly Version[],
): readonly SidebarItem[] {
  reads.add("list");
  const top: Node[] = [];
  const nodes = new Map<string, Node>();
  const addNode = (route: string, item: Omit<Node, "items">): Node => {
    const node = { ...item, items: [] };
    nodes.set(route, node);
    (route === root ? top : listAt(posix.dirname(route))).push(node);
    return node;
  };
  const listAt = (route: string): Node[] => {
    if (route === root) return top;
    // A folder without a page is a group.
    const group = { title: posix.basename(route), url: null, route: null };
    return (nodes.get(route) ?? addNode(route, group)).items;
  };
  for (const page of view.all({ lang, fallback: true })) {
    const { route, navTitle, template, date, lang: pageLanguage } = page;
    if (route === "/" || date !== null || template === "blog") continue;
    if (!isBelow(route, root)) continue;
    if (others.some(({ path }) => isBelow(route, path) && isBelow(path, root))) continue;
    const isOther = pageLanguage !== lang;
    addNode(route, {
      title: navTitle,
      url: href(route),
      route,
      ...(isOther && { lang: pageLanguage }),
    });
  }
  return top;
}

/** A version of a documentation: the pages below a folder. */
export interface Version {
  title: string;
  /** Route of its folder. */
  path: string;
}

/** True for a route and the pages below it. */
function isBelow(route: string, above: string): boolean {
  return above === "/" || route === above || route.startsWith(`${above}/`);
}

/** A page that may have other versions. */
interface VersionedPage {
  route: string;
  lang: string;
  /** Its version; null for a page outside of all versions. */
  current: Version | null;
  /** Address of a route in the language of the page. */
  href(route: string): string;
}

/**
 * The versions for the switch of a page: each leads to the same page in its folder, or to its first page.
 * Empty for a page outside of all versions.
 */
export function versionViews(
  view: ContentView,
  page: VersionedPage,
  versions: readonly Version[],
): readonly VersionView[] {
  const { route, lang, current, href } = page;
  if (current === null) return [];
  const rest = current.path === "/" ? route : route.slice(current.path.length);
  return versions.map((version, index) => {
    const same = `${version.path === "/" ? "" : version.path}${rest === "/" ? "" : rest}` || "/";
    const target = view.page(same, lang) === undefined ? version.path : same;
    return {
      title: version.title,
      url: href(target),
      isCurrent: version === current,
      isLatest: index === 0,
    };
  });
}
