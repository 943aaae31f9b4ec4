/** The bodies of a page and of its parts. */
import type { Answer, SiteContext } from "#kernel";
import type { ContentView, Page, PageEntry } from "../../content/contract.js";
import { renderedPage } from "./included-modules.js";
import { toChildItem, toListItem, toMediaItem, toPage } from "../lists/items.js";
import { JsonBodies } from "./json-bodies.js";
import type { PagePart } from "./page-route.js";
import { relatedPages } from "../lists/related.js";

/** The JSON of pages, cached as long as the page and its HTML are unchanged. */
export function createPageBody(site: SiteContext) {
  const bodies = new JsonBodies<Page>(site.cache, "page-json");
  // Plugins may change a page differently each time.
  const isCacheable = (): boolean =>
    !site.hooks.has("onPageLoaded") && !site.hooks.has("onMediaDiscovered");
  return async (view: ContentView, entry: PageEntry): Promise<Answer["body"]> => {
    const { page, rendered } = await renderedPage(site, view, entry);
    const from = { key: `/api/pages${entry.url}`, source: page, companion: rendered };
    const cached = isCacheable() ? bodies.find(from) : undefined;
    if (cached !== undefined) return cached;
    const body = await toPage(page, rendered.html);
    if (!isCacheable()) return JSON.stringify(body);
    return bodies.of({ ...from, tags: view.reads }, () => body);
  };
}

/** Creates the body of a part of a page. */
type ToPart = (site: SiteContext, view: ContentView, page: WantedPage) => Promise<unknown>;
/** A page, and what to add to it and to its children. */
interface WantedPage {
  entry: PageEntry;
  lang: string;
  fallback: boolean;
  add(entry: PageEntry): Promise<Record<string, unknown>>;
  /** Most related pages. */
  limit: number;
}

/** The bodies of the parts of a page. */
export const PARTS: Readonly<Record<PagePart, ToPart>> = {
  page: async (site, view, { entry, add }) => {
    const { page, rendered } = await renderedPage(site, view, entry);
    return { ...(await toPage(page, rendered.html)), ...(await add(entry)) };
  },
  children: async (_site, view, { entry, lang, fallback, add }) => {
    const children = view.children(entry.route, { lang, fallback });
    const items: unknown[] = [];
    for (const child of children) items.push({ ...toChildItem(child), ...(await add(child)) });
    return { items, total: items.length };
  },
  related: async (_site, view, { entry, add, limit }) => {
    const related = relatedPages(view, entry);
    const items: unknown[] = [];
    for (const page of related.slice(0, limit))
      items.push({ ...toListItem(page), ...(await add(page)) });
    return { items, total: related.length };
  },
  media: async (_site, view, { entry }) => {
    const { media } = await view.load(entry);
    return { items: media.map((item) => toMediaItem(item, true)), total: media.length };
  },
};
