import type { ContentView, PageEntry } from "../../../content/contract.js";
import { foreignLanguage } from "./breadcrumbs.js";
import type { PageNeighbours } from "../../contract.js";

/** The dated siblings before and after a page; pages of one day are ordered by route. */
export function neighboursOf(
  view: Pick<ContentView, "children">,
  entry: PageEntry,
  href: (route: string) => string,
): PageNeighbours {
  if (entry.date === null || entry.route === "/") return { older: null, newer: null };
  const parent = entry.route.slice(0, entry.route.lastIndexOf("/")) || "/";
  const own = placeOf(entry);
  const dated = view
    .children(parent, entry.standsInFor ?? entry.lang)
    .filter(({ date }) => date !== null);
  const older = last(dated.filter((page) => placeOf(page) < own));
  const newer = first(dated.filter((page) => placeOf(page) > own));
  const link = (page: PageEntry | null) =>
    page === null ? null : { title: page.title, url: href(page.route), ...foreignLanguage(page) };
  return { older: link(older), newer: link(newer) };
}

function first(pages: readonly PageEntry[]): PageEntry | null {
  const [start = null, ...others] = pages;
  return others.reduce(
    (best, page) => (best && placeOf(best) < placeOf(page) ? best : page),
    start,
  );
}

function last(pages: readonly PageEntry[]): PageEntry | null {
  const [start = null, ...others] = pages;
  return others.reduce(
    (best, page) => (best && placeOf(best) > placeOf(page) ? best : page),
    start,
  );
}

/** Sort key: day, time of day, then route. */
function placeOf({ date, moment, route }: PageEntry): string {
  const time = String((moment ?? -1) + 1).padStart(16, "0");
  return `${date ?? ""} ${time} ${route}`;
}
