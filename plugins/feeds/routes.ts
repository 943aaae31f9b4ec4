import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NextFunction, Request, Response } from "express";
import type { Answer, SiteContext } from "#kernel";
import type { ContentView } from "../content/contract.js";
import { FEED_FORMATS, feedDocument, type FeedFormat } from "./feed-document.js";
import { feedPages, parseScope } from "./feed-pages.js";
import { MOST_URLS, sitemapFile, sitemapIndex, sitemapPages } from "./sitemap-document.js";
import { absoluteUrl } from "./xml-text.js";

const FEED = /^(.*)\/(feed\.xml|atom\.xml|feed\.json)$/;
const SITEMAP = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/;
const XML = "application/xml; charset=utf-8";

/** Feeds, sitemap and robots.txt, always as an anonymous visitor sees the site. */
export function feedsHandler(site: SiteContext) {
  return (req: Request, res: Response, next: NextFunction): void | Promise<void> => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const coming = isRead ? answerFor(site, req.ctx.path) : null;
    if (coming === null) return next();
    return coming.then((answer) => (answer === null ? next() : site.http.send(req, res, answer)));
  };
}

/** Null at once for a path that is none of these: nearly every page passes here. */
function answerFor(site: SiteContext, path: string): Promise<Answer | null> | null {
  if (path === "/robots.txt") return robots(site);
  const [isFeed, place = "", file = ""] = FEED.exec(path) ?? [];
  if (isFeed !== undefined) return site.settings.site.feed.enabled ? feed(site, place, file) : null;
  const match = SITEMAP.exec(path);
  return match ? sitemap(site, Number(match[1] ?? 0)) : null;
}

async function feed(site: SiteContext, path: string, file: string): Promise<Answer | null> {
  const content = site.use("content");
  const view = content.view();
  const { supported, default: main } = site.settings.system.languages;
  const prefixOf = (lang: string): string => content.addresses.prefixOf(lang);
  const scope = parseScope(view, path, { supported, main, prefixOf });
  const format = formatOf(file);
  if (scope === null || format === null) return null;
  const pages = feedPages(view, scope, site.settings.site.feed.items);
  const body = await feedDocument(site, view, { scope, path, pages, format });
  return { type: FEED_FORMATS[format].type, body, ...trace(view) };
}

function formatOf(file: string): FeedFormat | null {
  const formats: readonly FeedFormat[] = ["rss", "atom", "json"];
  return formats.find((format) => FEED_FORMATS[format].file === file) ?? null;
}

async function sitemap(site: SiteContext, part: number): Promise<Answer | null> {
  const view = site.use("content").view();
  const pages = sitemapPages(site, view);
  const parts = Math.ceil(pages.length / MOST_URLS);
  if (part > parts || (part > 0 && parts === 1)) return null;
  view.reads.add("modified");
  const from = Math.max(0, part - 1) * MOST_URLS;
  const body =
    part === 0 && parts > 1
      ? await sitemapIndex(site.settings.site.url, parts)
      : await sitemapFile(site, view, pages.slice(from, from + MOST_URLS));
  return { type: XML, body, ...trace(view) };
}

/** The site's own `static/robots.txt`, else one that allows everything and names the sitemap. */
async function robots(site: SiteContext): Promise<Answer> {
  const type = "text/plain; charset=utf-8";
  const own = await readFile(join(site.paths.root, "static", "robots.txt"), "utf8").catch(
    () => null,
  );
  if (own !== null) return { type, body: own };
  const { url } = site.settings.site;
  const body = `User-agent: *\nAllow: /\n\nSitemap: ${absoluteUrl(url, "/sitemap.xml")}\n`;
  return { type, body, reads: new Set(["config"]) };
}

function trace(view: ContentView): Pick<Answer, "reads" | "expiresAt"> {
  view.reads.add("list").add("config");
  return { reads: view.reads, expiresAt: view.expiresAt };
}
