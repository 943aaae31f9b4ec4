import { setImmediate as nextTurn } from "node:timers/promises";
import type { SitemapItemLoose } from "sitemap";
import type { SiteContext } from "#kernel";
import { zoneDay } from "#lib/dates";
import type { ContentView, PageEntry } from "../content/contract.js";
import { type ListLanguage, absoluteUrl, xmlText } from "./feed-document.js";
import type { SitemapSection } from "./contract.js";

// URLs between two pauses; takes about a millisecond.
const PAUSE_EVERY = 50;

/** Maximum number of URLs in a sitemap file (sitemaps.org). */
export const MAX_URLS = 50_000;

const EMPTY =
  '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>';

/** Every page the visitor may read and search engines may list, in one or all languages, without excluded ones. */
export function sitemapPages(
  site: SiteContext,
  view: ContentView,
  { lang: only, fallback }: ListLanguage = { fallback: false },
): PageEntry[] {
  const { exclude } = site.settings.site.sitemap;
  const { indexing } = site.use("content");
  const languages = only === undefined ? site.settings.system.languages.supported : [only];
  return languages
    .flatMap((lang) => view.list({ lang, fallback, offset: 0, limit: 1_000_000_000 }).items)
    .filter(({ routable, isModule }) => routable && !isModule)
    .filter((entry) => indexing.isInSitemap(entry))
    .filter(({ route }) => !exclude.some((prefix) => isBelow(route, prefix)));
}

function isBelow(route: string, prefix: string): boolean {
  const bare = prefix.replace(/(?<!\/)\/+$/, "");
  return route === bare || route.startsWith(`${bare}/`) || bare === "";
}

/** The `number`th sitemap file, starting at 1. */
export async function sitemapFile(
  site: SiteContext,
  view: ContentView,
  pages: readonly PageEntry[],
): Promise<string> {
  // The library rejects an empty list.
  if (pages.length === 0) return EMPTY;
  const { SitemapStream, streamToPromise } = await import("sitemap");
  const stream = new SitemapStream({ lastmodDateOnly: true });
  const text = streamToPromise(stream);
  for (const [at, entry] of pages.entries()) {
    // Fifty thousand URLs take a second: let other requests run in between.
    if (at % PAUSE_EVERY === PAUSE_EVERY - 1) await nextTurn();
    stream.write(item(site, view, entry));
  }
  stream.end();
  return (await text).toString();
}

/** The sitemap index of `count` files. */
export async function sitemapIndex(base: string, count: number): Promise<string> {
  const { SitemapIndexStream, streamToPromise } = await import("sitemap");
  const stream = new SitemapIndexStream();
  const text = streamToPromise(stream);
  for (let at = 1; at <= count; at += 1) {
    stream.write({ url: absoluteUrl(base, `/sitemap-${at}.xml`) });
  }
  stream.end();
  return (await text).toString();
}

function item(site: SiteContext, view: ContentView, entry: PageEntry): SitemapItemLoose {
  const { url, sitemap } = site.settings.site;
  const depth = entry.route === "/" ? 0 : entry.depth;
  const image = imageAddress(entry);
  return {
    url: absoluteUrl(url, entry.url),
    lastmod: zoneDay(entry.mtimeMs, site.settings.system.timezone),
    changefreq: frequency(entry.route, sitemap, depth) as never,
    priority: Math.max(0.1, Math.round((1 - 0.2 * depth) * 10) / 10),
    links: alternates(site, view, entry),
    ...(image !== null && { img: [{ url: absoluteUrl(url, image) }] }),
  };
}

function frequency(route: string, { changefreq }: SitemapSection, depth: number): string {
  const longest = Object.keys(changefreq)
    .filter((prefix) => isBelow(route, prefix))
    .toSorted((a, b) => b.length - a.length)[0];
  const configured = longest === undefined ? undefined : changefreq[longest];
  return configured ?? ["daily", "weekly"][depth] ?? "monthly";
}

function alternates(site: SiteContext, view: ContentView, entry: PageEntry) {
  const { url } = site.settings.site;
  const { indexing } = site.use("content");
  const translations = view
    .translations(entry)
    .filter((translation) => indexing.isIndexed(translation.entry));
  if (translations.length < 2) return [];
  const links = translations.map(({ lang, url: path }) => ({ lang, url: absoluteUrl(url, path) }));
  const main = translations.find(({ lang }) => lang === site.settings.system.languages.default);
  return main ? [...links, { lang: "x-default", url: absoluteUrl(url, main.url) }] : links;
}

function imageAddress({ frontmatter, folder }: PageEntry): string | null {
  const { image } = frontmatter;
  if (typeof image !== "string" || image === "") return null;
  if (image.startsWith("/") || /^https?:/.test(image)) return xmlText(image);
  return `/content-media/${[...folder.split("/"), image].map(encodeURIComponent).join("/")}`;
}
