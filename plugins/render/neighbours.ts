import type { ContentView, PageEntry } from "../content/contract.js";
import type { PageNeighbours } from "./contract.js";

/** The dated siblings next to a page in time; pages of one day by their routes. */
export function neighboursOf(
  view: Pick<ContentView, "children">,
  entry: PageEntry,
  href: (route: string) => string,
): PageNeighbours {
  if (entry.date === null || entry.route === "/") return { older: null, newer: null };
  const parent = entry.route.slice(0, entry.route.lastIndexOf("/")) || "/";
  const own = placeOf(entry);
  let older: PageEntry | null = null;
  let newer: PageEntry | null = null;
  for (const sibling of view.children(parent, entry.lang)) {
    if (sibling.date === null || sibling.route === entry.route) continue;
    const place = placeOf(sibling);
    if (place < own && (older === null || place > placeOf(older))) older = sibling;
    if (place > own && (newer === null || place < placeOf(newer))) newer = sibling;
  }
  const link = (page: PageEntry | null) =>
    page ? { title: page.title, url: href(page.route) } : null;
  return { older: link(older), newer: link(newer) };
}

function placeOf({ date, route }: PageEntry): string {
  return `${date ?? ""} ${route}`;
}
