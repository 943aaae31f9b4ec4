/** The sidebar of a tree without numbers, of which nothing is in the navigation. */
import { posix } from "node:path";
import type { ContentView } from "../../content/contract.js";
import type { SidebarItem } from "../contract.js";

const MAX_PAGES = 2_000;

interface TreeRequest {
  view: ContentView;
  lang: string;
  /** Address of a route in the language of the page. */
  href(route: string): string;
}
interface Node extends SidebarItem {
  readonly items: Node[];
}

/** All undated pages, by the folders of their routes. */
export function treeSidebar({ view, lang, href }: TreeRequest): readonly SidebarItem[] {
  view.reads.add("list");
  const order = { by: "route", dir: "asc" } as const;
  const { items } = view.list({ lang, fallback: true, order, offset: 0, limit: MAX_PAGES });
  const top: Node[] = [];
  const nodes = new Map<string, Node>();
  const place = (route: string, item: Omit<Node, "items">): Node => {
    const node = { ...item, items: [] };
    nodes.set(route, node);
    const above = posix.dirname(route);
    listAt(above).push(node);
    return node;
  };
  const listAt = (route: string): Node[] => {
    if (route === "/") return top;
    // A folder without a page is a group.
    const group = { title: posix.basename(route), url: null, route: null };
    return (nodes.get(route) ?? place(route, group)).items;
  };
  for (const { route, navTitle, template, date, lang: own } of items) {
    if (route === "/" || date !== null || template === "blog") continue;
    const isOther = own !== lang;
    place(route, { title: navTitle, url: href(route), route, ...(isOther && { lang: own }) });
  }
  return top;
}
