import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Request } from "express";
import { z } from "zod";
import { type Answer, type Handler, readHandler, type SiteContext } from "#kernel";
import { parseWith } from "#lib/schema";
import type { ContentView } from "../content/contract.js";
import {
  FEED_FORMATS,
  feedDocument,
  type FeedFormat,
  feedPages,
  parseScope,
  type ListLanguage,
  absoluteUrl,
} from "./feed-document.js";
import { MAX_URLS, sitemapFile, sitemapIndex, sitemapPages } from "./sitemap-document.js";

const FEED = /^(.*)\/(feed\.xml|atom\.xml|feed\.json)$/;
const SITEMAP = /^\/sitemap(?:-([1-9]\d{0,3}))?\.xml$/;
const XML = "application/xml; charset=utf-8";
/** The value of `state.variant` for people who open a feed in a browser. */
const SHOWN = "shown-feed";

/**
 * Marks requests of browsers that open a feed: they show XML of the types for feed readers as plain text,
 * without its style sheet.
 */
export function markShownFeed({ ctx, headers }: Request): void {
  const isFeed = ctx.path !== null && FEED.test(ctx.path);
  if (isFeed && headers.accept?.includes("text/html") === true) ctx.state.variant = SHOWN;
}

/** Serves feeds and the sitemap for the current visitor, and robots.txt. */
export function feedsHandler(site: SiteContext): Handler {
  return readHandler(site.http, (req) => answerFor(site, req));
}

function answerFor(site: SiteContext, req: Request): Promise<Answer | null> | null {
  const { path } = req.ctx;
  if (path === "/robots.txt") return robots(site);
  const [isFeed, scope = "", file = ""] = FEED.exec(path) ?? [];
  if (isFeed !== undefined)
    return site.settings.site.feed.enabled ? feed(site, req, scope, file) : null;
  const match = SITEMAP.exec(path);
  return match ? sitemap(site, req, Number(match[1] ?? 0)) : null;
}

/**
 * The language in the query string.
 * @throws HttpError 400 for an unknown language.
 */
function readLanguage(site: SiteContext, req: Request): ListLanguage {
  const parameters = site.use("content").languages.parameters({ fallback: false });
  return parseWith(z.object(parameters), req.ctx.search === "" ? {} : req.query);
}

async function feed(
  site: SiteContext,
  req: Request,
  path: string,
  file: string,
): Promise<Answer | null> {
  const content = site.use("content");
  const view = content.view(req.ctx.state.viewer);
  const { supported, default: main } = site.settings.system.languages;
  const prefixOf = (lang: string): string => content.addresses.prefixOf(lang);
  const parsed = parseScope(view, path, { supported, main, prefixOf });
  const format = readFormat(file);
  if (parsed === null || format === null) return null;
  const { lang = parsed.lang, fallback } = readLanguage(site, req);
  const scope = { ...parsed, lang, fallback };
  const pages = feedPages(view, scope, site.settings.site.feed.items);
  const body = await feedDocument(site, view, { scope, path, pages, format });
  const isShown = req.ctx.state.variant === SHOWN && format !== "json";
  const type = isShown ? XML : FEED_FORMATS[format].type;
  return { type, body, headers: { Vary: "Accept" }, ...trace(view) };
}

function readFormat(file: string): FeedFormat | null {
  const formats: readonly FeedFormat[] = ["rss", "atom", "json"];
  return formats.find((format) => FEED_FORMATS[format].file === file) ?? null;
}

async function sitemap(site: SiteContext, req: Request, part: number): Promise<Answer | null> {
  const view = site.use("content").view(req.ctx.state.viewer);
  const pages = sitemapPages(site, view, readLanguage(site, req));
  const parts = Math.ceil(pages.length / MAX_URLS);
  if (part > parts || (part > 0 && parts === 1)) return null;
  view.reads.add("modified");
  const from = Math.max(0, part - 1) * MAX_URLS;
  const body =
    part === 0 && parts > 1
      ? await sitemapIndex(site.settings.site.url, parts)
      : await sitemapFile(site, view, pages.slice(from, from + MAX_URLS));
  return { type: XML, body, ...trace(view) };
}

/** The site's `static/robots.txt`, or one that allows everything and names the sitemap. */
async function robots(site: SiteContext): Promise<Answer> {
  const type = "text/plain; charset=utf-8";
  const text = await readFile(join(site.paths.root, "static", "robots.txt"), "utf8").catch(
    () => null,
  );
  if (text !== null) return { type, body: text };
  const { url } = site.settings.site;
  const body = `User-agent: *\nAllow: /\n\nSitemap: ${absoluteUrl(url, "/sitemap.xml")}\n`;
  return { type, body, cache: { tags: new Set(["config"]) } };
}

/** Responses to logged-in visitors are private. */
function trace(view: ContentView): Pick<Answer, "cache"> {
  view.reads.add("list").add("config");
  const isPersonal = view.viewer.roles !== null || view.viewer.seesUnpublished || view.personal;
  return { cache: { tags: view.reads, until: view.expiresAt, private: isPersonal } };
}
